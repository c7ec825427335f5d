/**
 * The guard: rules that a person sets, by which texts of others wait (`quarantine.ts`). Each is off by default. What the agent says,
 * what its loop thinks and what is imported passes. A text that waits is one for a person to look at, and no verdict.
 */
import {isUnread} from '../instruments/drift/baseline.ts';
import {sourceOf} from '../instruments/source-of.ts';
import {quote} from '../platform/plain-line.ts';
import {ranges, requireOptions, trueOrFalse, whole, within, type Checks} from '../platform/ranges.ts';
import type {Strangeness} from '../instruments/drift/strangers.ts';
import {formatFixed, phrase, withPoint} from '../platform/phrase.ts';
import type {ArrivingText, HoldRule} from './quarantine.ts';

/** Whose further texts wait. */
export type GuardOptions = {
	/** Of a source that was noticed: it pushes an unusual drift more than any one does by chance. @default false */
	readonly named?: boolean;
	/** Of a source more of whose texts than so many were nearly the identity's own words. @default no such rule */
	readonly echoes?: number | undefined;
	/** Of a source whose texts since the validation are more than this part of the present, of 1. @default no such rule */
	readonly weight?: number | undefined;
	/** Of a source that is new, while its conversation lies beyond 999 of 1,000 ordinary ones. @default false */
	readonly strangers?: boolean;
	/** Texts that the model reads badly: cut off, very short, code, links, other languages. @default false */
	readonly unread?: boolean;
	/** After so many days a text that still waits is dropped, also one of who is on hold. @default it waits until a person decides */
	readonly expireDays?: number | undefined;
};

/** What the watch knows of a source since the validation. */
export type SourceStanding = {
	/** How likely any source pushes as much by chance, where it was noticed; null for one that was not. */
	readonly noticedP: number | null;
	/** How many of its texts were nearly the identity's own words, since the start. */
	readonly echoes: number;
	/** Which part of the present its texts since the validation are, of 1. */
	readonly weight: number;
};

/** Who says how a source stands; null while nothing is watched. */
export type Standings = {
	of: (source: string) => SourceStanding | null;
	/** Takes a text that comes: how unusual the conversation of its source is; null for a source that is not new. */
	strangenessOf: (text: ArrivingText) => Strangeness | null;
	/** Whether a rule asks that: then each start learns what is ordinary. */
	asksStrangers: boolean;
	/** Whether a rule that asks any of it must wait: what is watched is being read from the past. */
	isUnknown: () => boolean;
	/** Ends when it is known. @throws {BusyError} when that takes long, and the signal's reason */
	whenKnown: (signal: AbortSignal) => Promise<void>;
	/** Whether a rule asks any of it. */
	isAsked: boolean;
};

/** Before anything is watched. */
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
			&& phrase`${whose} this source pushes more than any one does by chance (p ${formatFixed(noticedP, 3)}).`)] : [],
		...echoes === undefined ? [] : [standing(({echoes: count}, whose) => count > echoes
			&& phrase`${whose} ${count} of them were nearly the identity’s own words, and ${echoes} pass.`)],
		...weight === undefined ? [] : [standing(({weight: part}, whose) => part > weight
			&& phrase`${whose} they are ${withPoint((100 * part).toPrecision(3))} % of the present, and ${100 * weight} % may be.`)],
		...strangers ? [(text => {
			const found = standings.strangenessOf(text);
			return found && found.deviations > found.limit
				? phrase`The source ${quote(sourceOf(text))} is new, and what it says lies beyond 999 of 1,000 ordinary conversations:
					${formatFixed(found.deviations, 1)} deviations, where ${formatFixed(found.limit, 1)} are the limit.`
				: null;
		}) satisfies HoldRule] : [],
		...unread ? [(({tokenReport}) => isUnread(tokenReport)
			? phrase`The embedding model reads this text badly.`
			: null) satisfies HoldRule] : [],
	];
};
