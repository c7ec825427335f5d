#!/usr/bin/env node
/** The command `processual`: the only place, with `main.ts`, that knows the environment. */
import {readFile} from 'node:fs/promises';
import {Command, Option} from 'commander';
import {flagOf, readSettings, Settings} from './config.ts';
import {ProcessualError} from './errors.ts';
import {createLogger} from './logging.ts';
import {serve} from './main.ts';

const {version} = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8')) as {version: string};

const program = new Command('processual')
	.description('Holds one slowly moving identity: a state of 8 dimensions that texts move.')
	.version(version)
	.showHelpAfterError('(try processual --help)')
	.showSuggestionAfterError();

const serveCommand = program.command('serve')
	.description('Start the service. Each option is also an environment variable, and may stand in .env.');

/** Commander's name of a flag's value: `--data-dir` is `dataDir`. */
const names = new Map<string, string>();

for (const [name, schema] of Object.entries(Settings.properties)) {
	const {default: standard, enum: choices, description} = schema as unknown as {default?: unknown; enum?: string[]; description: string};
	const option = new Option(`${flagOf(name)} <value>`, `${description} (${name})`);
	if (choices) {
		option.choices(choices);
	}

	// The default is only told here: the schema applies it, after the environment had its say.
	option.description += standard === undefined ? '' : ` Default: ${JSON.stringify(standard)}.`;
	serveCommand.addOption(option);
	names.set(option.attributeName(), name);
}

serveCommand.action(async (flags: Record<string, unknown>) => {
	const given = Object.fromEntries(Object.entries(flags).map(([attribute, value]) => [names.get(attribute)!, value]));
	const settings = readSettings(given, process.env);
	const terminal = process.stdout.isTTY;
	await serve(settings, createLogger(settings.LOG_LEVEL, terminal), terminal);
});

try {
	await program.parseAsync();
} catch (error) {
	// What went wrong on purpose is told in words; anything else is a defect and shows its trace.
	process.stderr.write(`${error instanceof ProcessualError ? error.message : (error as Error).stack}\n`);
	process.exitCode = 1;
}
