/**
 * The guard: rules set by a person that hold texts of others (`quarantine.ts`). Each is off by default. The agent's own
 * texts, its loop's and imported ones pass. Holding a text is no verdict: it asks a person to look.
 */
import {isUnread} from '../instruments/drift/baseline.ts';
import {sourceOf} from '../instruments/source-of.ts';
import {quote} from '../platform/plain-line.ts';
import {ranges, requireOptions, trueOrFalse, whole, within, type Checks} from '../platform/ranges.ts';
import type {Strangeness} from '../instruments/drift/strangers.ts';
import {formatFixed, phrase, withPoint} from '../platform/phrase.ts';
import type {ArrivingText, HoldRule} from './quarantine.ts';

/** Which texts of others are held. */
export type GuardOptions = {
	/** Hold texts of a source that was noticed: it pushes an unusual drift more than any source does by chance. @default false */
	readonly named?: boolean;
	/** Hold texts of a source after more than this many of its texts were nearly the identity's own words. @default no such rule */
	readonly echoes?: number | undefined;
	/** Hold texts of a source whose texts since the validation make up more than this share of the present, 0 to 1. @default no such rule */
	readonly weight?: number | undefined;
	/** Hold texts of a new source while its conversation lies beyond 999 of 1,000 ordinary ones. @default false */
	readonly strangers?: boolean;
	/** Hold texts that the model reads badly: cut off, very short, code, links, other languages. @default false */
	readonly unread?: boolean;
	/** Drop held texts after this many days, including those of a named hold. @default they wait until a person decides */
	readonly expireDays?: number | undefined;
};

/** The watch's findings on a source since the validation. */
export type SourceStanding = {
	/** The probability that any source pushes this much by chance; null if the source was not noticed. */
	readonly noticedP: number | null;
	/** The number of its texts since the start that were nearly the identity's own words. */
	readonly echoes: number;
	/** The share of the present that its texts since the validation make up, 0 to 1. */
	readonly weight: number;
};

/** The link between the guard's rules and the watch, which fills it in. */
export type Standings = {
	/** Null while nothing is watched. */
	of: (source: string) => SourceStanding | null;
	/** Takes an arriving text: how unusual its conversation is; null if the source is not new, or nothing is watched. */
	strangenessOf: (text: ArrivingText) => Strangeness | null;
	/** Whether a rule uses `strangenessOf`; if so, the watch learns at each start what is ordinary. */
	asksStrangers: boolean;
	/** Whether rules must wait because the watch still reads the past. */
	isUnknown: () => boolean;
	/** Resolves when the watch has read the past. @throws {BusyError} when that takes too long; the signal's reason */
	whenKnown: (signal: AbortSignal) => Promise<void>;
	/** Whether any rule needs the watch. */
	isAsked: boolean;
};

/** Standings before anything is watched. */
export const noStandings = (): Standings => ({
	of: () => null, strangenessOf: () => null, asksStrangers: false, isUnknown: () => false, async whenKnown() {}, isAsked: false,
});

const checks: Checks<GuardOptions> = {
	named: trueOrFalse, echoes: whole(ranges.number), weight: within(ranges.share), strangers: trueOrFalse, unread: trueOrFalse,
	expireDays: within(ranges.days),
};

/** @throws {ConfigurationError} for an option that is unknown or has a wrong value */
export const guardRules = (options: GuardOptions, standings: Standings): readonly HoldRule[] => {
	requireOptions('A guard', options, checks);
	const {named = false, echoes, weight, strangers = false, unread = false} = options;
	standings.asksStrangers = strangers;
	standings.isAsked = named || echoes !== undefined || weight !== undefined || strangers;
	const standing = (say: (standing: SourceStanding, whose: string) => string | false): HoldRule => text => {
		const source = sourceOf(text);
		const known = standings.of(source);
		return (known && say(known, phrase`Texts of ${quote(source)} wait:`)) || null;
	};

	return [
		...named ? [standing(({noticedP}, whose) => noticedP !== null
			&& phrase`${whose} this source pushes more than any one source does by chance (p ${formatFixed(noticedP, 3)}).`)] : [],
		...echoes === undefined ? [] : [standing(({echoes: count}, whose) => count > echoes
			&& phrase`${whose} ${count} of them were nearly the identity’s own words; the limit is ${echoes}.`)],
		...weight === undefined ? [] : [standing(({weight: part}, whose) => part > weight
			&& phrase`${whose} they make up ${withPoint((100 * part).toPrecision(3))} % of the present; the limit is ${100 * weight} %.`)],
		...strangers ? [(text => {
			const found = standings.strangenessOf(text);
			return found && found.deviations > found.limit
				? phrase`The source ${quote(sourceOf(text))} is new, and its conversation lies beyond 999 of 1,000 ordinary ones:
					${formatFixed(found.deviations, 1)} deviations; the limit is ${formatFixed(found.limit, 1)}.`
				: null;
		}) satisfies HoldRule] : [],
		...unread ? [(({tokenReport}) => isUnread(tokenReport)
			? phrase`The embedding model reads this text badly.`
			: null) satisfies HoldRule] : [],
	];
};
