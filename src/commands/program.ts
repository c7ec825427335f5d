/** The program behind the command `processual`: declares its commands. No other file reads the environment. */
import {readFile} from 'node:fs/promises';
import {Argument, Command, Option} from 'commander';
import {ignoreBrokenPipes} from './broken-pipe.ts';
import {nameSettings} from './name-settings.ts';
import {readSettings} from './read-settings.ts';
import {pickSettings, settingOptions} from './setting-options.ts';
import type {Settings} from './settings.ts';
import {ProcessualError} from '../errors.ts';
import {lenses, type Lens} from '../instruments/scaled-profile.ts';
import {setWording} from '../wording.ts';

setWording(nameSettings);

const {version} = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8')) as {version: string};

const program = new Command('processual')
	.description('Holds one slowly moving identity: a state of 8 dimensions that texts move.')
	.version(version, '-V, --version', 'print the version of the package; GET /health has the interface\'s')
	.showHelpAfterError('(try processual --help)')
	.showSuggestionAfterError();

/** `args` are the command's arguments, `options` its own options. */
type Run = (settings: Settings, command: {args: string[]; options: Record<string, unknown>}) => Promise<void>;

/** Makes every setting an option of the command, and runs it with the settings. */
const runs = (command: Command, run: Run): void => {
	for (const option of settingOptions) {
		command.addOption(option);
	}

	command.action(async () => {
		const options = command.opts();
		await run(readSettings(pickSettings(options), process.env), {args: command.args, options});
	});
};

const isTerminal = process.stdout.isTTY;

runs(
	program.command('serve').description('Start the service. Each option is also an environment variable, and may be set in .env.'),
	async settings => {
		const [{serve}, {createLogger}] = await Promise.all([import('./serve.ts'), import('./logging.ts')]);
		await serve(settings, await createLogger(settings.LOG_LEVEL, isTerminal), isTerminal);
	},
);

runs(
	program.command('doctor').description('Check everything that the settings name, and say how to repair what does not work.'),
	async settings => (await import('./doctor.ts')).doctor(settings),
);

runs(
	program.command('begin').description('Begin an identity with the store\'s state. Stop the service first.')
		.option('--again', 'move an existing identity aside and keep it'),
	async (settings, {options}) => (await import('./begin.ts')).begin(settings, {again: options['again'] === true}),
);

runs(
	program.command('import').description('Import thoughts, messages, directions or a state into the embedded store, from JSON Lines or CSV.')
		.addArgument(new Argument('<kind>', 'kind of the entries').choices(['thoughts', 'messages', 'directions', 'state', 'all']))
		.argument('<file>', '*.csv, *.json, or JSON Lines; - for the standard input'),
	async (settings, {args: [kind, file]}) => (await import('./import.ts')).importEntries(settings, kind!, file!, isTerminal),
);

runs(
	program.command('export').description('Write all stored data and the current state as JSON Lines. Stop the service first.')
		.argument('[file]', 'a new file; the standard output by default'),
	async (settings, {args: [file]}) => (await import('./export.ts')).exportEntries(settings, file),
);

runs(
	program.command('profile').description('Show what the identity leans to, in the units of example sentences. Stop the service first; a running one answers GET /profile/scaled.')
		.addOption(new Option('--lens <lens>', 'own: each direction on the dimension of its category; thirdness: every direction on thirdness, which texts move').choices(lenses).default('own'))
		.option('--all', 'also what is no different from chance')
		.option('--json', 'print the fields of GET /profile/scaled'),
	async (settings, {options: {lens, all, json}}) => {
		const {describeProfile} = await import('./profile.ts');
		process.stdout.write(`${await describeProfile(settings, {lens: lens as Lens, all: all === true, json: json === true, isTerminal})}\n`);
	},
);

runs(
	program.command('reembed').description('Rebuild the state under another embedding model from the journal\'s texts. The old journal is kept.'),
	async settings => (await import('./reembed.ts')).reembed(settings, isTerminal),
);

ignoreBrokenPipes();

try {
	await program.parseAsync();
} catch (error) {
	// An expected error has a message for the user; any other is a defect and shows its stack.
	process.stderr.write(`${error instanceof ProcessualError ? error.message : (error as Error).stack}\n`);
	process.exitCode = 1;
}
