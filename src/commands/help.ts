/**
 * The text of `--help`: a command's options, the settings that are changed most often, and examples.
 * With `--all`, every setting.
 */
import {Help, type Command, type Option} from 'commander';
import {nameOfSetting, settingOptions} from './setting-options.ts';
import type {Settings} from './settings.ts';

type Shown = {
	settings?: ReadonlyArray<keyof Settings>;
	examples?: readonly string[];
	/** The command's defaults, if they differ from the settings'. */
	otherwise?: Partial<Record<keyof Settings, string>>;
};

/** For a command that makes an identity to look at, on this machine only. */
const toLookAt: Shown['otherwise'] = {
	DATA_DIR: 'a temporary folder, which the same command finds again',
	HOST: '"127.0.0.1"',
	PORT: '8100, or a free port if that is taken',
};

/** By the name of the command, or of the program. */
const shownBy: Readonly<Record<string, Shown>> = {
	processual: {examples: [
		'processual demo                           an example: who moved it, and its page',
		'processual look ~/.claude/projects        the same for your own logs',
		'processual serve                          start the service; then open http://localhost:8100',
		'processual serve --port 9000 --data-dir ada',
		'curl localhost:8100/cycle --json \'{"content": "The sea is quiet today."}\'',
		'processual profile                        what it leans towards',
	]},
	look: {otherwise: toLookAt, examples: [
		'processual look ~/.claude/projects --serve', 'processual look conversations.json --validate 2026-03-01',
		'processual look logs/ --self bot-7 --data-dir ada',
	]},
	demo: {settings: ['DATA_DIR', 'HOST', 'PORT'], otherwise: toLookAt, examples: ['processual demo']},
	serve: {
		settings: ['HOST', 'PORT', 'DATA_DIR', 'IDENTITY', 'AUTH_TOKEN', 'LOG_LEVEL', 'EMBEDDING_MODEL', 'TRANSLATOR', 'ANTHROPIC_API_KEY'],
		examples: ['processual serve --host 127.0.0.1', 'TRANSLATOR=template processual serve --data-dir ada'],
	},
	mcp: {
		settings: ['DATA_DIR', 'IDENTITY', 'PROCESSUAL_URL', 'PROCESSUAL_TOKEN', 'LOG_LEVEL', 'EMBEDDING_MODEL'],
		examples: ['processual mcp --data-dir ~/.processual', 'PROCESSUAL_URL=http://localhost:8100 processual mcp'],
	},
	say: {examples: ['processual say "The sea is quiet today." --source Ada --conversation Monday']},
	fleet: {
		settings: ['DATA_DIR', 'AUTH_TOKEN', 'PROCESSUAL_URL', 'PROCESSUAL_TOKEN'],
		examples: ['processual fleet', 'processual fleet --only alarms', 'PROCESSUAL_URL=http://localhost:8100 processual fleet --json'],
	},
	tools: {examples: ['processual tools --format anthropic']},
	doctor: {examples: ['processual doctor --data-dir ada']},
	compare: {
		settings: ['PROCESSUAL_URL', 'PROCESSUAL_TOKEN', 'IDENTITY'], examples: ['processual compare http://python:8100 --texts said.txt'],
	},
	begin: {examples: ['processual begin', 'processual begin --again']},
	import: {examples: [
		'processual import thoughts thoughts.jsonl', 'processual import state state.jsonl', 'processual import history ~/.claude/projects',
	]},
	export: {examples: ['processual export ada.jsonl', 'processual export | gzip > ada.jsonl.gz']},
	backup: {
		settings: ['DATA_DIR', 'DATABASE_URL', 'IDENTITY', 'AUTH_TOKEN'],
		examples: ['processual backup ada-monday.sqlite --identity ada'],
	},
	restore: {
		settings: ['DATA_DIR', 'DATABASE_URL', 'IDENTITY'],
		examples: ['processual restore ada-monday.sqlite --identity ada', 'processual restore ada-monday.sqlite --identity ada-again'],
	},
	profile: {examples: ['processual profile', 'processual profile --lens thirdness --all']},
	ledger: {examples: ['processual ledger', 'processual ledger --by text --direction relational.trust']},
	history: {examples: ['processual history --points 12 --direction relational.trust']},
	diff: {examples: ['processual diff --from 2026-03-01 --to present']},
	drift: {examples: ['processual drift']},
	sources: {examples: ['processual sources']},
	uptake: {examples: ['processual uptake']},
	revisions: {examples: ['processual revisions']},
	revise: {examples: [
		'processual revise "Viktor’s account was taken over." --without-source Viktor --dry-run',
		'processual revise "Until it is clear." --without-source Viktor --hold',
	]},
	hold: {examples: ['processual hold "Until it is clear." --source Viktor', 'processual hold "It was him." --take-back']},
	held: {examples: ['processual held', 'processual held --limit 100 --json']},
	'release-held': {examples: ['processual release-held --source Viktor --note "It was him."']},
	'drop-held': {examples: ['processual drop-held --conversation c-17 --note "Not his."']},
	forget: {examples: [
		'processual forget "A request of 3 March." --source Viktor --dry-run',
		'processual forget "A request of 3 March." --source Viktor',
	]},
	'verify-forgotten': {examples: ['processual verify-forgotten receipt.txt .processual backups/*']},
	validate: {examples: ['processual validate "Who it is after the first month."']},
	'dry-run': {examples: ['processual dry-run "The sea is quiet today."']},
	'what-if': {examples: ['processual what-if --without-source Viktor', 'processual what-if --add "The sea is quiet today."']},
	token: {settings: ['TOKENS_FILE'], examples: [
		'processual token ada-phone --rights speak --source Ada --identities ada --tokens-file tokens',
		'processual token monitor --rights read --tokens-file tokens',
	]},
	reembed: {settings: ['DATA_DIR', 'IDENTITY', 'EMBEDDING_MODEL'], examples: ['processual reembed --embedding-model Xenova/bge-m3']},
	migrate: {settings: ['DATABASE_URL'], examples: ['processual migrate --database-url postgres://owner@db.example/processual']},
	'accept-loss': {settings: ['DATABASE_URL'], examples: ['processual accept-loss ada']},
	move: {settings: ['DATA_DIR', 'DATABASE_URL'], examples: ['processual move default --to postgres', 'processual move default --to '
		+ 'sqlite']},
};

const defaultSettings: ReadonlyArray<keyof Settings> = ['DATA_DIR', 'IDENTITY'];

/** A setting's option with the command's default; any other option unchanged. */
const withDefault = (option: Option, otherwise: Shown['otherwise'] = {}): Option => {
	const standard = otherwise[nameOfSetting(option)!];
	return standard === undefined ? option : Object.assign(Object.create(option) as Option, {
		description: option.description.replace(/ Default: .*$/, ` Default: ${standard}.`),
	});
};

const firstSentence = (text: string): string => /^.*?\.(?= |$)/.exec(text)?.[0] ?? text;

/**
 * Configures the help of a program and its commands. Call it before the commands are created.
 *
 * @param isWhole Whether to show every setting.
 */
export const setHelp = (program: Command, isWhole: boolean): Command => program
	.configureHelp({
		// Without arguments, which the command's help shows: beside the longest of them, descriptions would no longer wrap.
		subcommandTerm: command => [command.name(), ...command.aliases()].join('|'),
		subcommandDescription: command => firstSentence(command.description()),
		visibleOptions(command) {
			const {settings = defaultSettings, otherwise} = shownBy[command.name()] ?? {};
			const options = Help.prototype.visibleOptions.call(this, command).map(option => withDefault(option, otherwise));
			if (isWhole) {
				return command.parent ? options : [...options, ...settingOptions];
			}

			return options.filter(option => {
				const name = nameOfSetting(option);
				return name === undefined || settings.includes(name);
			});
		},
	})
	.addHelpText('afterAll', ({command}) => {
		const {examples = []} = shownBy[command.name()] ?? {};
		const path = command.parent ? `processual ${command.name()}` : 'processual';
		return [
			...examples.length > 0 ? ['', 'Examples:', ...examples.map(example => `  ${example}`)] : [],
			...isWhole ? [] : ['', command.parent ? `Every setting: ${path} --help --all` : 'More: processual <command> --help; '
				+ 'every setting: processual --help --all'],
		].join('\n');
	});
