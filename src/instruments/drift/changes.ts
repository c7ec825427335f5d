/**
 * Whether a source talks otherwise than it did (`docs/spec/instruments.md#6-sources`). It is tested when it has twice as many
 * conversations as at the test before, and each p is corrected for all tests and all sources: so the promise holds at any time.
 */
import {mulberry32} from '../../platform/clock.ts';
import {dealEnough, minDealt, testChange, type SourceTalk, type TalkSum} from './deal.ts';
import {unusualP} from './findings.ts';

/** What is known of a source. */
export type SourceChange = {
	/** The probability that chance ever makes any source as different; null before the first test. It never rises. */
	readonly p: number | null;
	/** That of the last test alone, for one look and one source. */
	readonly now: number | null;
};

/** The conversations of each source that is compared, in the drawn part of the baseline. */
export type TalkBefore = ReadonlyMap<string, readonly TalkSum[]>;

type Tested = SourceChange & {readonly talk: readonly TalkSum[]};

/** What is kept of each source. Plain data. */
export type ChangesState = Map<string, Tested>;

/** After the test with as many conversations a source is not tested again: a change since is one that the chart shows. */
const maxTested = 64;

/** Which look is after so many conversations: after 4, 8, 16 …; null where none is. */
export const lookAfter = (conversations: number): number | null => {
	const look = Math.log2(conversations / minDealt);
	return Number.isInteger(look) && look >= 0 ? look : null;
};

/** Whether something is unusual that was not yet. */
export const firstSmall = (before: number | null, p: number | null): boolean =>
	p !== null && p <= unusualP && !(before !== null && before <= unusualP);

/**
 * The probability at any look over all sources, by that of each look of one: Σ 1/((j + 1)(j + 2)) = 1.
 * @param tested how many sources could be
 */
export const everP = (looks: readonly number[], tested: number): number | null =>
	looks.length === 0 ? null : Math.min(1, tested * Math.min(...looks.map((p, j) => p * (j + 1) * (j + 2))));

/** What sources said before, of those that have conversations enough. @param drawn what was said in each conversation */
export const talkBefore = (drawn: ReadonlyArray<readonly SourceTalk[]>): TalkBefore =>
	new Map([...Map.groupBy(drawn.flat(), ({source}) => source)].filter(([, talk]) => talk.length >= minDealt));

/** Follows what sources say since. */
export const followChanges = (before: TalkBefore, seed: number, state: ChangesState) => {
	const test = (earlier: readonly TalkSum[], now: readonly TalkSum[]): number => {
		const random = mulberry32(Math.imul(seed, 0x9E_37_79_B1) ^ now.length);
		return dealEnough(deals => testChange(earlier, now, random, deals)).p;
	};

	return {
		/** Takes what was said in an ended conversation. @returns the sources that are found to have changed, for the first time */
		take: (talk: readonly SourceTalk[]): Array<{source: string; p: number}> => talk.flatMap(({source, texts, sum}) => {
			const earlier = before.get(source);
			const known = state.get(source) ?? {p: null, now: null, talk: []};
			if (!earlier || known.talk.length >= maxTested) {
				return [];
			}

			const all = [...known.talk, {texts, sum}];
			const look = lookAfter(all.length);
			const now = look === null ? null : test(earlier, all);
			const ever = now === null ? known.p : Math.min(known.p ?? 1, everP([...Array<number>(look!).fill(1), now], before.size)!);
			state.set(source, {p: ever, now: now ?? known.now, talk: all});
			return firstSmall(known.p, ever) ? [{source, p: ever!}] : [];
		}),
		of(source: string): SourceChange {
			const {p, now} = state.get(source) ?? {p: null, now: null};
			return {p, now};
		},
	};
};
