#!/usr/bin/env node
/** The command `processual`: the only place, with `main.ts`, that knows the environment. */
import {existsSync} from 'node:fs';
import {readFile} from 'node:fs/promises';
import path from 'node:path';
import {pipeline} from 'node:stream/promises';
import {Argument, Command, Option} from 'commander';
import {embeddedStoreOf, toEmbeddingOptions, toFlag, toPersonSources, readSettings, Settings} from './commands/settings.ts';
import {showDownloads} from './commands/progress.ts';
import type {Encoder} from './embedding/encoder.ts';
import {loadEncoder} from './embedding/load-encoder.ts';
import {ProcessualError} from './errors.ts';
import {selectKernel} from './kernel/select.ts';
import {createLogger} from './commands/logging.ts';

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
	const option = new Option(`${toFlag(name)} <value>`, `${description} (${name})${standard === undefined ? '' : ` Default: ${JSON.stringify(standard)}.`}`);
	names.set(option.attributeName(), name);
	return choices ? option.choices(choices) : option;
});

const loadModel = async (settings: Settings, terminal: boolean): Promise<Encoder> =>
	loadEncoder(toEmbeddingOptions(settings), {onProgress: showDownloads(await createLogger(settings.LOG_LEVEL, terminal), terminal)});

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

/** `given` are the command's own arguments, `flags` its own options. */
type Run = (settings: Settings, terminal: boolean, given: string[], flags: Record<string, unknown>) => Promise<void>;

/** A command that takes every setting as an option. */
const command = (name: string, description: string, run: Run, given: Argument[] = [], own: Option[] = []): void => {
	const added = program.command(name).description(description);
	for (const argument of given) {
		added.addArgument(argument);
	}

	for (const option of [...own, ...settingOptions]) {
		added.addOption(option);
	}

	added.action(async (...words: unknown[]) => {
		// Commander gives the arguments, then the options, then itself.
		const flags = words[given.length] as Record<string, unknown>;
		const set = Object.fromEntries(Object.entries(flags).flatMap(([attribute, value]) => names.has(attribute) ? [[names.get(attribute)!, value]] : []));
		await run(readSettings(set, process.env), process.stdout.isTTY, words.slice(0, given.length) as string[], flags);
	});
};

command('serve', 'Start the service. Each option is also an environment variable, and may stand in .env.', async (settings, terminal) => {
	const {serve} = await import('./commands/serve.ts');
	await serve(settings, await createLogger(settings.LOG_LEVEL, terminal), terminal);
});

command('begin', 'Begin an identity from the store\'s state. Stop the service first.', async (settings, _, __, {again}) => {
	const {begin} = await import('./commands/begin.ts');
	const {stateId, warnings, kept} = await begin(settings, {again: again === true});
	for (const warning of warnings) {
		process.stderr.write(`${warning}\n`);
	}

	process.stdout.write(`The identity begins with state ${stateId} of the store.${kept === null ? '' : ` The old journal is kept in ${kept}.`}\n`);
}, [], [new Option('--again', 'put an identity that is there already aside, and keep it')]);

command('reembed', 'Rebuild the state under another embedding model from the journal\'s texts; the old journal is kept.', async (settings, terminal) => {
	const [{reembed}, {openSources}] = await Promise.all([import('./commands/reembed.ts'), import('./commands/open-sources.ts')]);
	const {store, authority, corroborate} = openSources(settings);
	const bar = await progressBar('records');
	const going = new AbortController().signal;
	let loaded: Encoder | null = null;
	try {
		const encoder = loaded = await loadModel(settings, terminal);
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
		await (loaded as Encoder | null)?.dispose();
		await store.close();
	}
});

const kinds = {thoughts: 'thought', messages: 'message', directions: 'direction', state: 'state', all: 'all'} as const;

command('import', 'Bring thoughts, messages, directions or a state into the embedded store, from JSON Lines or CSV.', async (settings, terminal, [kind, file]) => {
	const [{importFile}, {openSqliteStore}] = await Promise.all([import('./commands/transfer/import-file.ts'), import('./store/sqlite/store.ts')]);
	const {file: storeFile} = embeddedStoreOf(settings);
	const store = openSqliteStore(storeFile);
	const bar = await progressBar('texts');
	let encoder: Encoder | null = null;
	try {
		const {read, added, replaced, unchanged, passedOver, bad} = await importFile({
			kind: kinds[kind as keyof typeof kinds],
			file: file!,
			store,
			messagesFile: toPersonSources(settings).messagesFile,
			loadEncoder: async () => encoder = await loadModel(settings, terminal),
			onProgress: bar.show,
		});
		bar.stop();
		for (const {line, reason} of bad) {
			process.stderr.write(`line ${line} is skipped: ${reason}\n`);
		}

		process.stdout.write(`${read} entries read: ${added} added, ${replaced} replaced, ${unchanged} there already, ${bad.length} skipped${passedOver > 0 ? `; ${passedOver} of other kinds passed over` : ''}.\n`);
		if (kind !== 'messages' && existsSync(path.join(settings.DATA_DIR, 'journal'))) {
			process.stdout.write(`${settings.DATA_DIR} has a journal, which goes on from its own state: a stored state and thoughts count when an identity begins, as with “processual begin --again”.\n`);
		}

		process.exitCode = Number(read > 0 && bad.length === read);
	} finally {
		bar.stop();
		await (encoder as Encoder | null)?.dispose();
		await store.close();
	}
}, [new Argument('<kind>', 'what it is').choices(Object.keys(kinds)), new Argument('<file>', '*.csv, *.json, or JSON Lines; - for the standard input')]);

command('export', 'Write everything as JSON Lines: what was brought in, and the state that the process has made of it. Stop the service first.', async (settings, _, [file]) => {
	const [{exportAll}, {writeNewFile}, {openSqliteStore}] = await Promise.all([import('./commands/transfer/export-lines.ts'), import('./files/write-new-file.ts'), import('./store/sqlite/store.ts')]);
	const store = openSqliteStore(embeddedStoreOf(settings).file);
	try {
		const counts = {state: 0, thought: 0, direction: 0, message: 0};
		const lines = exportAll({
			store,
			messagesFile: toPersonSources(settings).messagesFile,
			journal: path.join(settings.DATA_DIR, 'journal'),
			onEntry(entry) {
				counts[entry]++;
			},
		});
		if (file === undefined) {
			await pipeline(lines, process.stdout);
		} else {
			await writeNewFile(file, lines);
			process.stderr.write(`${file} is written: ${counts.state} states, ${counts.thought} thoughts, ${counts.direction} directions, ${counts.message} messages.\n`);
		}
	} catch (error) {
		if (!isUnread(error)) {
			throw error;
		}
	} finally {
		await store.close();
	}
}, [new Argument('[file]', 'a new file; the standard output unless given')]);

command('doctor', 'Look whether everything that the settings name works, and say what to do where it does not.', async settings => {
	const {diagnose} = await import('./commands/doctor.ts');
	const signs = {ok: '✓', warning: '!', trouble: '✗'};
	for await (const {part, state, message} of diagnose(settings)) {
		process.stdout.write(`${signs[state]} ${part}: ${message}\n`);
		process.exitCode ||= Number(state === 'trouble');
	}
});

/** Whoever reads may have enough: `processual doctor | head`. */
const isUnread = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'EPIPE';

for (const stream of [process.stdout, process.stderr]) {
	stream.on('error', error => {
		// A command goes on to its end, as if it were read.
		if (!isUnread(error)) {
			throw error;
		}
	});
}

try {
	await program.parseAsync();
} catch (error) {
	// What went wrong on purpose is told in words; anything else is a defect and shows its trace.
	process.stderr.write(`${error instanceof ProcessualError ? error.message : (error as Error).stack}\n`);
	process.exitCode = 1;
}
