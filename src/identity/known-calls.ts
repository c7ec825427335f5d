/** A misspelled name in a call is refused, here and afar: without it, an answer would be one to another question. */
import {InputError} from '../platform/errors.ts';
import type {CallOptions} from '../platform/waiting.ts';
import {requireKnownNames, type Names} from '../platform/unknown-names.ts';
import type {Identity, LocalIdentity} from './identity.ts';

/** What a call is given: what is asked, where its names are not checked where it is read, then options. */
type Given = {readonly of: string; readonly asked?: Readonly<Record<string, unknown>>; readonly at?: 0 | 1; readonly throwsAtOnce?: true};

/** The names of what a method is asked. */
type NamesOf<Method extends keyof LocalIdentity> = LocalIdentity[Method] extends (asked?: infer Asked, ...rest: never[]) => unknown
	? Names<NonNullable<Asked>>
	: never;

const since: NamesOf<'drift'> = {since: true};

const calls: Partial<Record<keyof LocalIdentity, Given>> = {
	cycle: {of: 'A cycle'},
	importText: {of: 'An import'},
	dryRun: {of: 'A dry run'},
	whatIf: {of: 'The other self'},
	stateAt: {of: 'A state'},
	validate: {
		of: 'A validation',
		asked: {note: true, horizon: true, acceptUnread: true} satisfies Names<Parameters<Identity['validate']>[0]>,
	},
	revise: {
		of: 'A revision',
		asked: {note: true, without: true, at: true, by: true, dryRun: true} satisfies Names<Parameters<Identity['revise']>[0]>,
	},
	translate: {of: 'A translation', asked: {context: true} satisfies Names<NonNullable<Parameters<Identity['translate']>[0]>>},
	ledger: {of: 'A ledger', asked: {by: true, direction: true, lens: true, since: true, limit: true} satisfies NamesOf<'ledger'>},
	history: {of: 'A history', asked: {points: true, direction: true, since: true, until: true} satisfies NamesOf<'history'>},
	diff: {of: 'A difference', asked: {from: true, to: true} satisfies NamesOf<'diff'>},
	drift: {of: 'A drift', asked: since},
	sources: {of: 'The question for sources', asked: since},
	scaledProfile: {
		of: 'A profile', asked: {lens: true} satisfies Names<NonNullable<Parameters<Identity['scaledProfile']>[0]>>, throwsAtOnce: true,
	},
	fork: {of: 'A fork', asked: {at: true} satisfies Names<NonNullable<Parameters<LocalIdentity['fork']>[0]>>},
	events: {of: 'A stream of events', at: 0, throwsAtOnce: true},
};

const optionNames: Names<CallOptions> = {signal: true};

const requireKnown = ({of, asked, at: place = 1}: Given, given: readonly (object | undefined)[]): void => {
	if (asked) {
		requireKnownNames(of, given[0] ?? undefined, asked, {kind: 'field', Failure: InputError});
	}

	requireKnownNames(of, given[place] ?? undefined, optionNames);
};

/** The identity, whose calls refuse what they do not know. @throws {InputError} for a field; {ConfigurationError} for an option */
export const withKnownNames = <Whole extends Identity>(identity: Whole): Whole => {
	const methods = identity as unknown as Record<string, (...given: (object | undefined)[]) => unknown>;
	return Object.assign(identity, Object.fromEntries(Object.entries(calls).filter(([name]) => name in identity).map(([name, call]) => {
		const perform = methods[name]!;
		const checked = (...given: (object | undefined)[]) => {
			requireKnown(call, given);
			return perform(...given);
		};

		return [name, call.throwsAtOnce ? checked : async (...given: (object | undefined)[]) => checked(...given)];
	})));
};
