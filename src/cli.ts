#!/usr/bin/env node
/** The command `processual`: the only place, with `main.ts`, that knows the environment. */
import {readFile} from 'node:fs/promises';
import path from 'node:path';
import {Command, Option} from 'commander';
import {embeddingOf, flagOf, readSettings, Settings} from './config.ts';
import {showDownloads} from './downloads.ts';
import type {Encoder} from './embedding/encoder.ts';
import {loadEncoder} from './embedding/load.ts';
import {ProcessualError} from './errors.ts';
import {selectKernel} from './kernel/select.ts';
import {createLogger} from './logging.ts';
import {serve} from './main.ts';

const {version} = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8')) as {version: string};

const program = new Command('processual')
	.description('Holds one slowly moving identity: a state of 8 dimensions that texts move.')
	.version(version)
	.showHelpAfterError('(try processual --help)')
	.showSuggestionAfterError();

/** Commander's name of a flag's value: `--data-dir` is `dataDir`. */
const names = new Map<string, string>();

const settingOptions = Object.entries(Settings.properties).map(([name, schema]) => {
	const {default: standard, enum: choices, description} = schema as unknown as {default?: unknown; enum?: string[]; description: string};
	// The default is only told here: the schema applies it, after the environment had its say.
	const option = new Option(`${flagOf(name)} <value>`, `${description} (${name})${standard === undefined ? '' : ` Default: ${JSON.stringify(standard)}.`}`);
	names.set(option.attributeName(), name);
	return choices ? option.choices(choices) : option;
});

const loadModel = async (settings: Settings, terminal: boolean): Promise<Encoder> =>
	loadEncoder(embeddingOf(settings), {onProgress: showDownloads(await createLogger(settings.LOG_LEVEL, terminal), terminal)});

/** A bar on the error stream that begins when there is something to show. */
const progressBar = async (what: string) => {
	const {Presets, SingleBar} = await import('cli-progress');
	const bar = new SingleBar({format: `embedding {bar} {value}/{total} ${what}`, noTTYOutput: false}, Presets.shades_grey);
	return {
		show(done: number, total: number) {
			if (!bar.isActive) {
				bar.start(total, 0);
			}

			bar.update(done);
		},
		stop() {
			bar.stop();
		},
	};
};

type Run = (settings: Settings, terminal: boolean) => Promise<void>;

/** A command that takes every setting as an option. */
const command = (name: string, description: string, run: Run): void => {
	const added = program.command(name).description(description);
	for (const option of settingOptions) {
		added.addOption(option);
	}

	added.action(async (flags: Record<string, unknown>) => {
		const given = Object.fromEntries(Object.entries(flags).map(([attribute, value]) => [names.get(attribute)!, value]));
		await run(readSettings(given, process.env), process.stdout.isTTY);
	});
};

command('serve', 'Start the service. Each option is also an environment variable, and may stand in .env.', async (settings, terminal) => {
	await serve(settings, await createLogger(settings.LOG_LEVEL, terminal), terminal);
});

command('reembed', 'Rebuild the state under another embedding model from the journal\'s texts; the old journal is kept.', async (settings, terminal) => {
	const [{reembed}, {openSources}] = await Promise.all([import('./reembed.ts'), import('./sources.ts')]);
	const encoder = await loadModel(settings, terminal);
	const {store, authority, corroborate} = openSources(settings);
	const bar = await progressBar('records');
	const going = new AbortController().signal;
	try {
		const {cycles, stateId, kept} = await reembed({
			folder: path.resolve(settings.DATA_DIR, 'journal'),
			encoder,
			kernel: selectKernel(settings.KERNEL),
			authority: await authority(encoder, going),
			corroborate: corroborate && (async vector => corroborate(vector, going)),
			onProgress: bar.show,
		});
		bar.stop();
		process.stdout.write(`${cycles} cycles run again with ${encoder.passport.model}; the state has id ${stateId}. The old journal is kept in ${kept}.\n`);
	} finally {
		bar.stop();
		await encoder.dispose();
		await store.close();
	}
});

try {
	await program.parseAsync();
} catch (error) {
	// What went wrong on purpose is told in words; anything else is a defect and shows its trace.
	process.stderr.write(`${error instanceof ProcessualError ? error.message : (error as Error).stack}\n`);
	process.exitCode = 1;
}
