/**
 * Tests whether a source talks differently than before (`docs/spec/instruments.md#6-sources`), each time its number of
 * conversations has doubled. Each p is corrected for all tests and all sources, so it holds at any time.
 */
import {mulberry32} from '../../platform/clock.ts';
import {dealEnough, minDealt, testChange, type SourceTalk, type TalkSum} from './deal.ts';
import {unusualP} from './findings.ts';

export type SourceChange = {
	/** The probability that chance ever makes any source as different; null before the first test. It never rises. */
	readonly p: number | null;
	/** The p of the last test alone, for one look and one source. */
	readonly now: number | null;
};

/** The conversations of each testable source in the drawn part of the baseline. */
export type TalkBefore = ReadonlyMap<string, readonly TalkSum[]>;

type Tested = SourceChange & {readonly talk: readonly TalkSum[]};

/** By source. Plain data. */
export type ChangesState = Map<string, Tested>;

/** The last test of a source is at this number of conversations. Later changes show in the chart. */
const maxTested = 64;

/** The look at a number of conversations, from 0: at 4, 8, 16 …; null if there is none. */
export const lookAfter = (conversations: number): number | null => {
	const look = Math.log2(conversations / minDealt);
	return Number.isInteger(look) && look >= 0 ? look : null;
};

/** Whether p is unusual for the first time. */
export const firstSmall = (before: number | null, p: number | null): boolean =>
	p !== null && p <= unusualP && !(before !== null && before <= unusualP);

/**
 * Corrects p for all looks and all sources. Look j has the share 1/((j + 1)(j + 2)) of the error rate; the shares sum to 1.
 * @param looks The p of each look at one source. @param tested The number of sources that could be tested.
 */
export const everP = (looks: readonly number[], tested: number): number | null =>
	looks.length === 0 ? null : Math.min(1, tested * Math.min(...looks.map((p, j) => p * (j + 1) * (j + 2))));

/** Keeps the sources with enough conversations to be tested. @param drawn The talk in each conversation. */
export const talkBefore = (drawn: ReadonlyArray<readonly SourceTalk[]>): TalkBefore =>
	new Map([...Map.groupBy(drawn.flat(), ({source}) => source)].filter(([, talk]) => talk.length >= minDealt));

export const followChanges = (before: TalkBefore, seed: number, state: ChangesState) => {
	const test = (earlier: readonly TalkSum[], now: readonly TalkSum[]): number => {
		const random = mulberry32(Math.imul(seed, 0x9E_37_79_B1) ^ now.length);
		return dealEnough(deals => testChange(earlier, now, random, deals)).p;
	};

	return {
		/** Takes the talk of an ended conversation. @returns the sources that are found to have changed for the first time */
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
