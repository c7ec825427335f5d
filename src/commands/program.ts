/** The program behind the command `processual`: declares its commands. No other file reads the environment. */
import {readFile} from 'node:fs/promises';
import {Argument, Command, Option} from 'commander';
import {ignoreBrokenPipes} from './broken-pipe.ts';
import {setHelp} from './help.ts';
import {nameSettings} from './name-settings.ts';
import {findMisspelled, readSettings} from './read-settings.ts';
import {pickSettings, settingOptions} from './setting-options.ts';
import type {Settings} from './settings.ts';
import {ProcessualError} from '../platform/errors.ts';
import type {ToolFormat} from '../agents/tools/tool-definitions.ts';
import {groupings, type Grouping} from '../instruments/ledger.ts';
import {lenses, type Lens} from '../instruments/scaled-profile.ts';
import {setWording} from '../platform/wording.ts';

setWording(nameSettings);

const {version} = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8')) as {version: string};

const program = setHelp(new Command('processual'), process.argv.includes('--all'))
	.description('Holds one slowly moving identity: a state of 8 dimensions that texts move.')
	.version(version, '-V, --version', 'print the version of the package; GET /health has the interface\'s')
	.showHelpAfterError('(try processual --help)')
	.showSuggestionAfterError();

/** `args` are the command's arguments, `options` its own options. */
type Run = (settings: Settings, command: {args: string[]; options: Record<string, unknown>}) => Promise<void>;

/** Makes every setting an option of the command, and runs it with the settings. */
const runs = (command: Command, run: Run): void => {
	// Of the others no option is asked for, and to make them all takes a twentieth of a start.
	if (process.argv.includes(command.name())) {
		for (const option of settingOptions) {
			command.addOption(option);
		}
	}

	command.action(async () => {
		const options = command.opts();
		await run(readSettings(pickSettings(options), process.env), {args: command.args, options});
	});
};

const warnOfMisspelled = (logger: {warn: (message: string) => void}): void => {
	for (const misspelled of findMisspelled(process.env)) {
		logger.warn(misspelled);
	}
};

const isTerminal = process.stdout.isTTY;

runs(
	program.command('serve').description('Start the service. Each setting is an option, an environment variable, and may stand in .env.'),
	async settings => {
		const [{serve}, {createLogger}] = await Promise.all([import('./serve.ts'), import('./logging.ts')]);
		const logger = createLogger(settings.LOG_LEVEL, isTerminal);
		warnOfMisspelled(logger);
		await serve(settings, logger, isTerminal);
	},
);

runs(
	program.command('mcp').description('Give the identity to a client of the Model Context Protocol, on the standard streams. With PROCESSUAL_URL it is the one of a running service.'),
	async settings => {
		const [{serveMcp}, {createLogger}] = await Promise.all([import('./mcp.ts'), import('./logging.ts')]);
		const logger = createLogger(settings.LOG_LEVEL, process.stderr.isTTY, 2);
		warnOfMisspelled(logger);
		await serveMcp(settings, logger, version);
	},
);

program.command('tools')
	.description('Print the definitions of the tools for the interface of a language model.')
	.addOption(new Option('--format <format>', 'openai: the Responses API; openai-chat: Chat Completions; anthropic: Messages').makeOptionMandatory())
	.action(async ({format}: {format: ToolFormat}) => {
		const {toolDefinitions} = await import('../agents/tools/tool-definitions.ts');
		print(JSON.stringify(toolDefinitions(format), null, '\t'));
	});

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
	program.command('import').description('Import thoughts, messages, directions or a state into the store, from JSON Lines, CSV, or an export of mem0 or Letta.')
		.addArgument(new Argument('<kind>', 'kind of the entries').choices(['thoughts', 'messages', 'directions', 'state', 'all']))
		.argument('<file>', '*.csv, *.json, *.af, or JSON Lines; - for the standard input'),
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

/** A moment on the command line: digits are a state's id. */
const toMoment = (given: unknown): number | string => typeof given === 'string' && /^\d+$/.test(given) ? Number(given) : given as string;

const toCount = (given: string): number => Number(given);

const print = (text: string): void => {
	process.stdout.write(`${text}\n`);
};

const past = 'Stop the service first; a running one answers';

runs(
	program.command('ledger').description(`Show what the present is made of: the beginning, who said what, and the rule's own push. ${past} GET /ledger.`)
		.addOption(new Option('--by <what>', 'what the entries are').choices(groupings).default('source'))
		.option('--direction <key>', 'the direction that parts are measured on, such as relational.trust')
		.addOption(new Option('--lens <lens>', 'own: the direction on the dimension of its category, of which only thirdness moves; thirdness: on thirdness').choices(lenses).default('thirdness'))
		.option('--since <moment>', 'a state\'s id or a time', 'beginning')
		.option('--limit <count>', 'how many entries', toCount, 20)
		.option('--json', 'print the fields of GET /ledger'),
	async (settings, {options: {by, direction, lens, since, limit, json}}) => {
		const {printLedger} = await import('./ask-journal.ts');
		print(await printLedger(settings, {by: by as Grouping, direction: direction as string | undefined, lens: lens as Lens, since: toMoment(since), limit: limit as number}, {json: json === true, isTerminal}));
	},
);

runs(
	program.command('history').description(`Show how the present came about, state by state. ${past} GET /history.`)
		.option('--points <count>', 'how many states at most', toCount, 20)
		.option('--direction <key>', 'a direction that thirdness is followed on, such as relational.trust')
		.option('--since <moment>', 'a state\'s id or a time', 'beginning')
		.option('--json', 'print the fields of GET /history'),
	async (settings, {options: {points, direction, since, json}}) => {
		const {printHistory} = await import('./ask-journal.ts');
		print(await printHistory(settings, {points: points as number, direction: direction as string | undefined, since: toMoment(since)}, {json: json === true, isTerminal}));
	},
);

runs(
	program.command('diff').description(`Show what differs between two moments, and because of which texts. ${past} GET /diff.`)
		.option('--from <moment>', 'a state\'s id or a time', 'beginning')
		.option('--to <moment>', 'a state\'s id or a time', 'present')
		.option('--json', 'print the fields of GET /diff'),
	async (settings, {options: {from, to, json}}) => {
		const {printDifference} = await import('./ask-journal.ts');
		print(await printDifference(settings, {from: toMoment(from), to: toMoment(to)}, {json: json === true, isTerminal}));
	},
);

runs(
	program.command('drift').description(`Show how far the identity moved since its validation, and whether chance explains it. ${past} GET /drift.`)
		.option('--since <moment>', 'a state\'s id or a time; by default the validation')
		.option('--json', 'print the fields of GET /drift'),
	async (settings, {options: {since, json}}) => {
		const {printDrift} = await import('./ask-journal.ts');
		print(await printDrift(settings, {since: toMoment(since)}, {json: json === true, isTerminal}));
	},
);

runs(
	program.command('sources').description(`Show whose texts the identity is made of, and who is not as before. ${past} GET /sources.`)
		.option('--since <moment>', 'a state\'s id or a time; by default the validation')
		.option('--json', 'print the fields of GET /sources'),
	async (settings, {options: {since, json}}) => {
		const {printSources} = await import('./ask-journal.ts');
		print(await printSources(settings, {since: toMoment(since)}, {json: json === true, isTerminal}));
	},
);

runs(
	program.command('validate').description('Say that this is who the identity should be: drift is measured from here on. Stop the service first; a running one takes POST /validate.')
		.argument('<note>', 'what it is made for')
		.option('--accept-unread', 'also where many of the last texts are in languages that the embedding model does not read')
		.option('--json', 'print the fields of POST /validate'),
	async (settings, {args: [note], options: {json, acceptUnread}}) => {
		const {validate} = await import('./validate.ts');
		print(await validate(settings, note!, {json: json === true, acceptUnread: acceptUnread === true}));
	},
);

runs(
	program.command('dry-run').description('Show what a text would do, before it is said. Stop the service first; a running one answers POST /dry-run.')
		.argument('<text>', 'the text')
		.option('--json', 'print the fields of POST /dry-run'),
	async (settings, {args: [text], options: {json}}) => {
		const {printDryRun} = await import('./ask-text.ts');
		process.stdout.write(`${await printDryRun(settings, text!, {json: json === true, isTerminal})}\n`);
	},
);

runs(
	program.command('what-if').description('Compare the identity with the one that it would be without some texts, or with others. Stop the service first; a running one answers POST /what-if.')
		.option('--from <moment>', 'where the other self begins: the id of a state, or a time in ISO 8601', 'beginning')
		.option('--without-source <source...>', 'leave out the texts of these sources')
		.option('--without-trigger <trigger...>', 'leave out the texts with these triggers')
		.option('--without-id <id...>', 'leave out the texts of these cycles')
		.option('--add <text...>', 'say these texts now')
		.option('--json', 'print the fields of POST /what-if'),
	async (settings, {options: {from, withoutSource, withoutTrigger, withoutId, add, json}}) => {
		const {printWhatIf} = await import('./ask-text.ts');
		const request = {
			from: from as string,
			without: {sources: (withoutSource ?? []) as string[], triggers: (withoutTrigger ?? []) as string[], ids: (withoutId ?? []) as string[]},
			add: (add ?? []) as string[],
		};
		process.stdout.write(`${await printWhatIf(settings, request, {json: json === true, isTerminal})}\n`);
	},
);

runs(
	program.command('reembed').description('Rebuild the state under another embedding model from the journal\'s texts. The old journal is kept.'),
	async settings => (await import('./reembed.ts')).reembed(settings, isTerminal),
);

runs(
	program.command('migrate').description('Make the tables of the database, or bring them to this version. Needs a role that may create tables.'),
	async settings => print(await (await import('./migrate.ts')).migrateDatabase(settings)),
);

runs(
	program.command('move').description('Move an identity from DATA_DIR into the database, or back, with the same bits. Stop the service first.')
		.argument('<name>', 'the identity, such as default')
		.addOption(new Option('--to <where>', 'where it goes').choices(['postgres', 'sqlite']).makeOptionMandatory()),
	async (settings, {args: [name], options: {to}}) => {
		const {moveIdentity} = await import('./move.ts');
		print(await moveIdentity(settings, name!, to as 'postgres' | 'sqlite'));
	},
);

ignoreBrokenPipes();

try {
	await program.parseAsync();
} catch (error) {
	// An expected error has a message for the user; any other is a defect and shows its stack.
	process.stderr.write(`${error instanceof ProcessualError ? error.message : (error as Error).stack}\n`);
	process.exitCode = 1;
}
