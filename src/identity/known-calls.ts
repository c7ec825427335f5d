/** Refuses misspelled names in calls, local and remote: ignoring one would answer a different question. */
import {askedNames} from '../generated/asked-names.ts';
import {ConfigurationError, InputError} from '../platform/errors.ts';
import type {CallOptions} from '../platform/waiting.ts';
import {requireKnownNames, type Names} from '../platform/unknown-names.ts';
import type {Identity, LocalIdentity} from './identity.ts';

/** How a call's arguments are checked: the request's field names, unless its reader checks them, then the options at `at`. */
type Given = {readonly of: string; readonly asked?: Readonly<Record<string, unknown>>; readonly at?: 0 | 1; readonly throwsAtOnce?: true};

/** The calls that are questions; their field names come from the table of questions. */
const questions: Readonly<Record<string, Given>> = Object.fromEntries(Object.entries(askedNames).map(([name, asked]) =>
	[name, {of: `The question “${name}”`, asked: Object.fromEntries(asked.map(each => [each, true]))}]));

const calls: Readonly<Record<string, Given>> = {
	...questions,
	cycle: {of: 'A cycle'},
	importText: {of: 'An import'},
	dryRun: {of: 'A dry run'},
	stateAt: {of: 'A state'},
	translate: {of: 'A translation', asked: {context: true} satisfies Names<NonNullable<Parameters<Identity['translate']>[0]>>},
	scaledProfile: {...questions['scaledProfile']!, throwsAtOnce: true},
	fork: {of: 'A fork', asked: {at: true} satisfies Names<NonNullable<Parameters<LocalIdentity['fork']>[0]>>},
	events: {of: 'A stream of events', at: 0, throwsAtOnce: true},
};

const optionNames: Names<CallOptions> = {signal: true};

const requireKnown = ({of, asked, at: place = 1}: Given, given: readonly (object | undefined)[]): void => {
	if (asked) {
		requireKnownNames(of, given[0], asked, {kind: 'field', Failure: InputError});
		const date = Object.entries(given[0] ?? {}).find(([, value]) => value instanceof Date);
		if (date) {
			throw new InputError(`The field ${date[0]} must be a text or a number, not a Date: give its toISOString().`);
		}
	}

	const options = given[place] as CallOptions | undefined;
	requireKnownNames(of, options, optionNames);
	if (options?.signal && !(options.signal instanceof EventTarget)) {
		throw new ConfigurationError('The option signal must be an AbortSignal.');
	}
};

/** Plain names for the most frequent calls. */
const plainNames = {say: 'cycle', why: 'ledger', whoAmI: 'scaledProfile'} as const;

/**
 * Makes an identity's calls refuse unknown names, and adds plain names for some calls. A call then throws `InputError` for
 * an unknown field and `ConfigurationError` for an unknown option.
 */
export const withKnownNames = <Whole extends Identity>(identity: Omit<Whole, keyof typeof plainNames>): Whole => {
	const methods = identity as unknown as Record<string, (...given: (object | undefined)[]) => unknown>;
	const checks = Object.entries(calls).filter(([name]) => name in identity);
	const known = Object.assign(identity, Object.fromEntries(checks.map(([name, call]) => {
		const perform = methods[name]!;
		const checked = (...all: (object | null | undefined)[]) => {
			const given = all.map(each => each ?? undefined);
			requireKnown(call, given);
			// The reader of a request reports a missing required field, such as a note, by its name.
			return perform(...call.asked && given[0] === undefined ? [{}, ...given.slice(1)] : given);
		};

		return [name, call.throwsAtOnce ? checked : async (...given: (object | undefined)[]) => checked(...given)];
	})));
	const plain = Object.fromEntries(Object.entries(plainNames).map(([word, name]) => [word, methods[name]]));
	return Object.assign(known, plain) as unknown as Whole;
};
