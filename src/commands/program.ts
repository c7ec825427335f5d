/** The program behind the command `processual`: declares its commands. No other file reads settings from the environment. */
import {Argument, Command, Option} from 'commander';
import {describeThrown, watchStreams} from './terminal.ts';
import {setHelp} from './help.ts';
import {settingOf} from './name-settings.ts';
import {findWithoutEffect, readSettings} from './read-settings.ts';
import {givenTo, pickSettings, settingOptions, type Given} from './setting-options.ts';
import type {Settings} from './settings.ts';
import type {ToolFormat} from '../agents/tools/tool-definitions.ts';
import {packageVersion} from '../generated/version.ts';
import {setOptionNames} from '../platform/option-names.ts';
import {setLanguage} from '../platform/phrase.ts';

setOptionNames(settingOf);

const program = setHelp(new Command('processual'), process.argv.includes('--all'))
	.description('Holds one slowly changing identity: a state of 8 dimensions that texts move.')
	.version(packageVersion, '-V, --version', 'print the version of the package; GET /health has that of the interface')
	.showHelpAfterError('(try processual --help)')
	.showSuggestionAfterError();

type Run = (settings: Settings, given: Given) => Promise<void>;

/** Makes every setting an option of the command, and runs it with the settings. `usual` gives the command's defaults. */
const runs = (command: Command, run: Run, usual: (given: Given) => Promise<Partial<Settings>> = async () => ({})): void => {
	// Only for the command that runs: creating all options for every command takes a twentieth of the start.
	if ([command.name(), ...command.aliases()].some(name => process.argv.includes(name))) {
		for (const option of settingOptions) {
			command.addOption(option);
		}
	}

	command.action(async () => {
		const given = givenTo(command);
		const settings = readSettings(pickSettings(given), process.env, '.env', await usual(given));
		if (settings.LANGUAGE !== 'en') {
			setLanguage(settings.LANGUAGE, (await import('../../data/french/program.json', {with: {type: 'json'}})).default);
		}

		if (!logging.has(command.name())) {
			warnOfSettings({warn: text => process.stderr.write(`${text}\n`)});
		}

		await run(settings, given);
	});
};

/** Commands that themselves report settings without effect. */
const logging = new Set(['serve', 'mcp', 'doctor']);

const warnOfSettings = (logger: {warn: (message: string) => void}): void => {
	for (const sentence of findWithoutEffect(process.env)) {
		logger.warn(sentence);
	}
};

const isTerminal = process.stdout.isTTY;

/** @param once The name of a part that is printed only once. If the output cannot be written, the text goes to standard error. */
const print = (text: string, once?: string): void => {
	process.stdout.write(`${text}\n`, error => {
		if (error && once !== undefined) {
			process.stderr.write(`A ${once} is given only once, so here is the output that could not be written:\n${text}\n`);
		}
	});
};

runs(
	program.command('serve').description('Start the service. Each setting can be an option, an environment variable, or a line in .env.'),
	async settings => {
		const [{serve}, {createLogger}] = await Promise.all([import('./serve.ts'), import('./logging.ts')]);
		const logger = createLogger(settings.LOG_LEVEL, isTerminal);
		warnOfSettings(logger);
		await serve(settings, logger, isTerminal);
	},
);

runs(
	program.command('mcp').description('Serve the identity to a client of the Model Context Protocol over the standard streams. '
		+ 'With PROCESSUAL_URL, serve that of a running service.'),
	async settings => {
		const [{runMcp}, {createLogger}] = await Promise.all([import('./mcp.ts'), import('./logging.ts')]);
		const logger = createLogger(settings.LOG_LEVEL, process.stderr.isTTY, 2);
		warnOfSettings(logger);
		await runMcp(settings, logger);
	},
);

runs(
	program.command('say').description('Say something to the identity, local or remote: the text moves its state.')
		.argument('<text>', 'the text')
		.option('--source <name>', 'who says it; “self” is the agent', 'user')
		.option('--conversation <id>', 'id of the conversation'),
	async (settings, given) => print(await (await import('./ask-identity.ts')).sayText(settings, given)),
);

runs(
	program.command('fleet').description('List all identities, those that drifted first. A running service is asked. p is that of '
		+ '“drift”; below 0.005, the smallest that the twins give, it is estimated from their tail.')
		.addOption(new Option('--only <which>', 'which identities').choices(['all', 'named', 'alarms', 'unusual']))
		.option('--name <beginning>', 'only names with this prefix')
		.addOption(new Option('--order <order>', 'sort order').choices(['evidence', 'newest', 'name']))
		.option('--after <name>', 'last name of the previous page')
		.option('--limit <count>', 'maximum number of rows', '30')
		.option('--json', 'print the answer as JSON, with the fields of the service'),
	async (settings, {only, name, order, after, limit, json}) =>
		print(await (await import('./fleet.ts')).showFleet(settings, {only, name, order, after, limit, json})),
);

program.command('tools')
	.description('Print the definitions of the tools for the API of a language model.')
	.addOption(new Option('--format <format>', 'openai: the Responses API; openai-chat: Chat Completions; anthropic: '
		+ 'Messages').makeOptionMandatory())
	.action(async ({format}: {format: ToolFormat}) => {
		const {toolDefinitions} = await import('../agents/tools/tool-definitions.ts');
		print(JSON.stringify(toolDefinitions(format), null, '\t'));
	});

runs(
	program.command('doctor').description('Check everything that the settings name, and say how to fix each problem.'),
	async settings => (await import('./doctor/diagnose.ts')).doctor(settings),
);

runs(
	program.command('compare').description('Show how the answers of two services differ. The service at PROCESSUAL_URL and the '
		+ 'other one get the same requests: both states move.')
		.argument('<url>', 'address of the other service, such as http://python:8100')
		.option('--texts <file>', 'the texts, one per line; by default, sentences of the package')
		.option('--reset', 'also start and stop both daemons, and reset both states at the end'),
	async (settings, {url, texts, reset}) => {
		const {compare} = await import('./compare.ts');
		const options = {...(texts !== undefined && {texts: texts as string}), reset: reset === true};
		const {text, isSame} = await compare(settings, url as string, options);
		print(text);
		process.exitCode = isSame ? 0 : 1;
	},
);

runs(
	program.command('begin').description('Begin an identity with the store\'s state. Stop the service first.')
		.option('--again', 'move an existing identity aside, and keep it'),
	async (settings, {again}) => (await import('./begin.ts')).begin(settings, {again: again === true}),
);

const ownNames = ['--self <names...>', 'sources that are the agent itself, besides “self” and the role assistant'] as const;

runs(
	program.command('look').description('Read existing logs, and say whether there is drift. A new identity hears the texts at their '
		+ 'original times. docs/look.md lists the formats.')
		.argument('<paths...>', 'files and folders, such as ~/.claude/projects')
		.option('--validate <date>', 'the day or time until which everything was ordinary; half-way by default')
		.option(...ownNames)
		.option('--serve', 'then serve the identity, and open its page'),
	async (settings, given) => {
		const {look} = await import('./look.ts');
		await look(settings, given['paths'] as string[], {...given, serve: given['serve'] === true});
	},
	async ({paths, ...asked}) => (await import('./look.ts')).usualSettingsOfLook(paths as string[], asked),
);

runs(
	program.command('demo').description('Create an example identity, and open its page. It listened in a harbour town for two months; '
		+ 'the command says who moved it.')
		.option('--no-serve', 'create it without serving it'),
	async (settings, {serve}) => {
		const {demo} = await import('./look.ts');
		await demo(settings, serve === true);
	},
	async () => (await import('./look.ts')).usualSettings('demo'),
);

runs(
	program.command('import').description('Import files into the store, or a history. Thoughts, messages, directions and a state come from '
		+ 'JSON Lines, CSV, or an export of mem0 or Letta. history: let the identity hear earlier conversations, from any log that '
		+ '“look” reads.')
		.addArgument(new Argument('<kind>', 'kind of the entries').choices(['thoughts', 'messages', 'directions', 'state', 'all', 'history']))
		.argument('<files...>', '*.csv, *.json, *.af, or JSON Lines; - for standard input. For a history, files and folders')
		.option('--validate <date>', 'for a history: the day or time until which everything was ordinary')
		.option(...ownNames),
	async (settings, given) => {
		const {kind, files} = given as {kind: string; files: string[]};
		if (kind === 'history') {
			await (await import('./look.ts')).importHistory(settings, files, given);
			return;
		}

		for (const file of files) {
			await (await import('./import.ts')).importEntries(settings, kind, file);
		}
	},
);

runs(
	program.command('export').description('Write all stored data and the current state as JSON Lines. '
		+ 'The past is not included: see “processual backup”.')
		.argument('[file]', 'a new file; standard output by default, and for -'),
	async (settings, {file}) => (await import('./export.ts')).exportEntries(settings, file as string | undefined),
);

runs(
	program.command('backup').description('Copy the whole journal into one file. The service may keep running.')
		.argument('<file>', 'a new file'),
	async (settings, {file}) => print(await (await import('./backup.ts')).backUp(settings, file as string)),
);

runs(
	program.command('restore').description('Restore an identity from a backup. Its name must be free.')
		.argument('<file>', 'a file that “processual backup” wrote'),
	async (settings, {file}) => print(await (await import('./backup.ts')).restore(settings, file as string)),
);

runs(
	program.command('reembed').description('Rebuild the state under another embedding model from the journal\'s texts. '
		+ 'The old journal is kept. Stop the service first.'),
	async settings => (await import('./reembed.ts')).reembed(settings),
);

runs(
	program.command('migrate').description('Create the tables of the database, or upgrade them to this version. '
		+ 'Needs a role that may create tables.'),
	async settings => print(await (await import('./migrate.ts')).migrateDatabase(settings)),
);

runs(
	program.command('move').description('Move an identity from DATA_DIR into the database, or back, bit for bit. '
		+ 'Stop the service first.')
		.argument('<name>', 'the identity, such as default')
		.addOption(new Option('--to <where>', 'destination').choices(['postgres', 'sqlite']).makeOptionMandatory()),
	async (settings, {name, to}) => {
		const {moveIdentity} = await import('./move.ts');
		print(await moveIdentity(settings, name as string, to as 'postgres' | 'sqlite'));
	},
);

runs(
	program.command('accept-loss').description('Let an identity continue after its database has lost acknowledged records, and say which. '
		+ 'Until then, nodes refuse it.')
		.argument('<name>', 'the identity, such as default'),
	async (settings, {name}) => print(await (await import('./migrate.ts')).acceptLossOf(settings, name as string)),
);

runs(
	program.command('verify-forgotten').description('Search files and folders for the forgotten texts and vectors of a receipt. '
		+ 'Exits with status 1 if any is found.')
		.argument('<receipt>', 'the file with the output of “processual forget”, or the answer of POST /forget')
		.argument('<files...>', 'files, and folders with everything in them'),
	async (settings, {receipt, files}) => {
		const {verifyForgotten} = await import('./verify-forgotten.ts');
		const {text, isClean} = await verifyForgotten(settings, receipt as string, files as string[]);
		print(text);
		process.exitCode = isClean ? 0 : 1;
	},
);

runs(
	program.command('token').description('Create a token, print it once, and add its hash to TOKENS_FILE. The service reads '
		+ 'the file when it starts.')
		.argument('<name>', 'who has it, such as bot-7')
		.addOption(new Option('--rights <rights...>', 'its rights: read and change nothing, send texts, or do everything')
			.choices(['read', 'speak', 'operate']).makeOptionMandatory())
		.option('--source <name>', 'the only source that its texts may have; “self” for the agent')
		.option('--identities <names...>', 'the only identities that it gives access to'),
	async (settings, given) => print((await import('./tokens.ts')).addToken(settings, given), 'token'),
);

// The table of questions takes as long to load as the settings, so the commands above do without it.
if (!program.commands.some(command => command.name() === process.argv[2])) {
	const {askingCommands, declareAsking, nameOfCommand, printAnswer} = await import('./questions.ts');
	for (const row of askingCommands) {
		runs(
			declareAsking(program.command(nameOfCommand(row)).aliases(row.alias === undefined ? [] : [row.alias]), row),
			async (settings, given) => {
				const text = await printAnswer(settings, row, given);
				print(text, row.question === 'forget' ? 'receipt' : undefined);
				await (row.question === 'forget' && (await import('./verify-forgotten.ts')).keepPrinted(text));
			},
		);
	}
}

for (const command of program.commands) {
	command.showHelpAfterError(`(try processual ${command.name()} --help)`);
}

watchStreams();

try {
	await program.parseAsync();
} catch (error) {
	process.stderr.write(`${describeThrown(error)}\n`);
	process.exitCode = 1;
}
