/** A misspelled name in a call is refused, here and afar: without it, an answer would be one to another question. */
import {askedNames} from '../generated/asked-names.ts';
import {ConfigurationError, InputError} from '../platform/errors.ts';
import type {CallOptions} from '../platform/waiting.ts';
import {requireKnownNames, type Names} from '../platform/unknown-names.ts';
import type {Identity, LocalIdentity} from './identity.ts';

/** What a call is given: what is asked, where its names are not checked where it is read, then options. */
type Given = {readonly of: string; readonly asked?: Readonly<Record<string, unknown>>; readonly at?: 0 | 1; readonly throwsAtOnce?: true};

/** What is asked of a question is in the table of questions. */
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
			throw new InputError(`The field ${date[0]} must be a text or a number, and no Date: give its toISOString().`);
		}
	}

	const options = given[place] as CallOptions | undefined;
	requireKnownNames(of, options, optionNames);
	if (options?.signal && !(options.signal instanceof EventTarget)) {
		throw new ConfigurationError('The option signal must be an AbortSignal.');
	}
};

/** Plain words for what is asked most: each is the method that stands beside it. */
const plainNames = {say: 'cycle', why: 'ledger', whoAmI: 'scaledProfile'} as const;

/**
 * The identity, whose calls refuse what they do not know, with plain words for some of them.
 *
 * @throws {InputError} for a field; {ConfigurationError} for an option
 */
export const withKnownNames = <Whole extends Identity>(identity: Omit<Whole, keyof typeof plainNames>): Whole => {
	const methods = identity as unknown as Record<string, (...given: (object | undefined)[]) => unknown>;
	const checks = Object.entries(calls).filter(([name]) => name in identity);
	const known = Object.assign(identity, Object.fromEntries(checks.map(([name, call]) => {
		const perform = methods[name]!;
		const checked = (...all: (object | null | undefined)[]) => {
			const given = all.map(each => each ?? undefined);
			requireKnown(call, given);
			// What must be given, such as a note, is missed by its name where it is read.
			return perform(...call.asked && given[0] === undefined ? [{}, ...given.slice(1)] : given);
		};

		return [name, call.throwsAtOnce ? checked : async (...given: (object | undefined)[]) => checked(...given)];
	})));
	const plain = Object.fromEntries(Object.entries(plainNames).map(([word, name]) => [word, methods[name]]));
	return Object.assign(known, plain) as unknown as Whole;
};
