/**
 * The commands that ask a local or remote identity. Their arguments and help are derived from the table of questions. This
 * file adds what only a terminal needs: how to show an answer, and other defaults.
 */
import {InvalidArgumentError, Option, type Command} from 'commander';
import {askingOf, toJson, type AnyQuestion} from '../http/question.ts';
import {questions} from '../http/questions.ts';
import type {Questions} from '../generated/types.ts';
import type {Identity} from '../identity/identity.ts';
import {describeFaults, valueOfJson} from '../platform/describe-faults.ts';
import {InputError} from '../platform/errors.ts';
import {Value, type TSchema} from '../platform/typebox.ts';
import type {askIdentity, Needs} from './ask-identity.ts';
import {noIdentityError} from './open-journal.ts';
import type {Given} from './setting-options.ts';
import type {Settings} from './settings.ts';
import {
	showDifference, showDrift, showDryRun, showHistory, showLedger, showProfile, showSources, showUptake, showValidation, showWhatIf,
} from './show-answers.ts';
import {showForgetting, showHeld, showRevision, showRevisions, showSettled} from './show-decisions.ts';

/** The questions that commands ask: methods of an identity. */
type Asked = keyof Questions | 'dryRun';

export type AskingCommand<Name extends Asked = Asked> = {
	readonly question: Name;
	/** @default the question's, with hyphens */
	readonly name?: string;
	/** A name in plain words. */
	readonly alias?: string;
	/** @default the directions */
	readonly needs?: (given: Given) => Needs;
	/** Defaults of the command that differ from the question's. */
	readonly defaults?: Given;
	/** Options besides the question's fields, for `show` or `toRequest`. */
	readonly options?: readonly Option[];
	/** Adapts the request to the command's options. @default no change */
	readonly toRequest?: (request: object, given: Given) => object;
	readonly show: (answer: Awaited<ReturnType<Identity[Name]>>, given: Given) => string | Promise<string>;
};

const asking = <Name extends Asked>(row: AskingCommand<Name>) => row as unknown as AskingCommand;

const ifAlong = ({direction}: Given): Needs => ({directions: direction !== undefined});
const unlessDry = ({dryRun}: Given): Needs => ({directions: true, writes: dryRun !== true});
const toSay = (): Needs => ({directions: true, says: true});

export const askingCommands: readonly AskingCommand[] = [
	asking({
		question: 'scaledProfile',
		name: 'profile',
		alias: 'who-am-i',
		options: [new Option('--all', 'also list directions that are no different from chance')],
		show: (profile, {all}) => showProfile(profile, all === true),
	}),
	asking({question: 'ledger', alias: 'why', needs: ifAlong, defaults: {by: 'source', lens: 'thirdness'}, show: showLedger}),
	asking({question: 'history', needs: ifAlong, defaults: {points: 20}, show: showHistory}),
	asking({question: 'diff', show: showDifference}),
	asking({question: 'drift', show: showDrift}),
	asking({question: 'sources', needs: () => ({}), show: showSources}),
	asking({question: 'uptake', needs: () => ({}), show: showUptake}),
	asking({question: 'validate', needs: () => ({writes: true}), show: showValidation}),
	asking({question: 'dryRun', needs: toSay, show: showDryRun}),
	asking({question: 'whatIf', needs: toSay, show: showWhatIf}),
	asking({
		question: 'revise',
		needs: unlessDry,
		options: [new Option('--take-back', 'hear again everything that revisions left out')],
		toRequest: (request, {takeBack}) => takeBack ? {...request, without: {}} : request,
		show: showRevision,
	}),
	asking({
		question: 'forget',
		needs: given => ({...unlessDry(given), forgets: given['dryRun'] !== true}),
		show: async forgetting => showForgetting(
			forgetting, process.stdout.isTTY ? await (await import('./verify-forgotten.ts')).keepReceipt(forgetting) : null,
		),
	}),
	asking({question: 'revisions', needs: () => ({}), show: showRevisions}),
	asking({question: 'hold', needs: () => ({writes: true}), show: ({words}) => words.join('\n')}),
	asking({question: 'held', needs: () => ({}), show: showHeld}),
	asking({question: 'releaseHeld', needs: unlessDry, show: showSettled}),
	asking({question: 'dropHeld', needs: unlessDry, show: showSettled}),
];

type Field = {
	type?: string | readonly string[];
	enum?: string[];
	description?: string;
	default?: unknown;
	properties?: Readonly<Record<string, Field>>;
};

type Row = Omit<AnyQuestion, 'ask'> & {ask: {properties: Readonly<Record<string, Field>>; required?: readonly string[]}};

const rowOf = (question: Asked, all: readonly AnyQuestion[]): Row => {
	const row = all.find(({name}) => name === question)! as unknown as Row;
	return {...row, ask: row.ask ?? {properties: {}}};
};

const hyphened = (name: string): string => name.replaceAll(/[A-Z]/g, letter => `-${letter.toLowerCase()}`);

export const nameOfCommand = ({question, name = hyphened(question)}: AskingCommand): string => name;

/** The name of a field's option. For a list it is the singular: `sources` becomes `source`. */
const optionName = (name: string, {type}: Field): string => type === 'array' ? name.replace(/s$/, '') : name;

/** The name of a nested field's option: `without.sources` becomes `withoutSource`. */
const innerName = (name: string, inner: string, field: Field): string =>
	`${name}${inner[0]!.toUpperCase()}${optionName(inner, field).slice(1)}`;

/** Declares the fields of a command's question: required ones as arguments, others as options. */
export const declareAsking = (
	command: Command,
	{question, defaults = {}, options = []}: AskingCommand,
	all: readonly AnyQuestion[] = questions,
): Command => {
	const {summary, description, ask: {properties, required = []}} = rowOf(question, all);
	command.description(`${summary}. ${description}`);
	for (const [name, field] of Object.entries(properties)) {
		if (required.includes(name)) {
			command.argument(`<${name}>`, field.description);
		} else if (field.properties) {
			for (const [inner, each] of Object.entries(field.properties)) {
				command.addOption(toOption(innerName(name, inner, each), each));
			}
		} else {
			command.addOption(toOption(optionName(name, field), {...field, ...(name in defaults && {default: defaults[name]})}));
		}
	}

	for (const option of options) {
		command.addOption(option);
	}

	return command.option('--json', 'print the answer as JSON, with the fields of the service');
};

const toOption = (name: string, {type = 'string', enum: choices, description = '', default: value}: Field): Option => {
	const placeholder = type === 'boolean' ? '' : type === 'array' ? ' <values...>' : ' <value>';
	const option = new Option(`--${hyphened(name)}${placeholder}`, description);
	if (choices) {
		option.choices(choices);
	} else if (type === 'integer') {
		// A value that is not a number stays a text, so that the error can show it.
		option.argParser(text => text.trim() === '' || Number.isNaN(Number(text)) ? text : Number(text));
	} else if (type === 'object') {
		option.argParser(toObject);
	} else if (type.includes('integer')) {
		// Digits are a state's id.
		option.argParser(text => /^\d+$/.test(text) ? Number(text) : text);
	}

	// An empty default is not shown.
	return (typeof value === 'string' && value !== '') || typeof value === 'number' ? option.default(value) : option;
};

const toObject = (text: string): object => {
	const value = valueOfJson(text);
	if (typeof value !== 'object' || value === null || Array.isArray(value)) {
		throw new InvalidArgumentError('Give an object in JSON, such as \'{"notebook": "blue"}\'.');
	}

	return value;
};

const definedOf = (entries: Array<[string, unknown]>): object => Object.fromEntries(entries.filter(([, value]) => value !== undefined));

const nonEmpty = (fields: object): object | undefined => Object.keys(fields).length === 0 ? undefined : fields;

const toRequest = ({ask}: Row, given: Given): object => definedOf(Object.entries(ask.properties).map(([name, field]) => {
	const {properties} = field;
	return [
		name,
		properties
			? nonEmpty(definedOf(Object.entries(properties).map(([inner, each]) => [inner, given[innerName(name, inner, each)]])))
			: given[optionName(name, field)],
	];
}));

/** The option for a path in the request, such as `--without-source` for `without.sources`. */
const optionAt = ([name, inner]: readonly string[], {ask: {properties}}: Row): string => {
	const field = properties[name!]!;
	const each = field.properties?.[inner!];
	return `--${hyphened(each ? innerName(name!, inner!, each) : optionName(name!, field))}`;
};

/** Checks the options only: the identity refuses wrong arguments itself. @throws {InputError} naming each wrong option */
const requireOptions = (row: Row, request: object): void => {
	const faults = describeFaults(row.ask as TSchema, request).flatMap(fault => {
		const [, place = '', what = ''] = /^(\S+) ([^]*)/.exec(fault) ?? [];
		const path = place.split('.');
		return Object.hasOwn(row.ask.properties, path[0]!) && !row.ask.required?.includes(path[0]!) ? [`${optionAt(path, row)} ${what}.`] : [];
	});
	if (faults.length > 0) {
		throw new InputError(faults.join(' '));
	}
};

/** The questions that replay all records. */
const replaying: ReadonlySet<Asked> = new Set(['revise', 'hold', 'forget']);

/** Shows the progress of a long replay at a terminal. @returns a function that ends it */
const followReplay = async (identity: Identity, question: Asked): Promise<() => void> => {
	if (!replaying.has(question) || !process.stderr.isTTY) {
		return () => {};
	}

	const bar = (await import('./progress.ts')).createProgressBar('records', '{step}');
	const leave = identity.on('replay.progress', ({step, records, of}) => bar.update(records, of, {step}));
	return () => {
		leave();
		bar.stop();
	};
};

/**
 * Asks a command's question, and formats the answer as a table, or as JSON with the wire's fields.
 *
 * @param door The questions, and the function that reaches the identity; by default the service's, and `askIdentity`.
 * @throws {UnknownIdentityError} if no identity has begun; and whatever `askIdentity` throws
 */
export const printAnswer = async (
	settings: Settings,
	{question, needs = () => ({directions: true}), toRequest: adapt = request => request, show}: AskingCommand,
	given: Given,
	door: {all?: readonly AnyQuestion[]; ask?: typeof askIdentity} = {},
): Promise<string> => {
	const ask = door.ask ?? (await import('./ask-identity.ts')).askIdentity;
	const row = rowOf(question, door.all ?? questions);
	const request = Value.Default(row.ask as TSchema, adapt(toRequest(row, given), given)) as object;
	requireOptions(row, request);
	const answer = await ask(settings, needs(given), async identity => {
		const leave = await followReplay(identity, question);
		try {
			return await askingOf(row as AnyQuestion)(identity, request, {}) as object;
		} finally {
			leave();
		}
	});
	if (!answer) {
		throw noIdentityError(settings);
	}

	return given['json'] ? toJson(row.answer, answer) : await show(answer as never, given);
};
