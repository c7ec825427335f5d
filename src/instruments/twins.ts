/**
 * Twins: what the identity would have become by ordinary texts alone, drawn from its baseline
 * (`docs/spec/instruments.md#4-validate-twins-drift`). How far they lie from one another is what
 * chance does.
 */
import type {Random} from '../platform/clock.ts';
import type {StateTensor} from '../kernel/state-tensor.ts';
import type {Baseline} from './baseline.ts';
import {replay, startReplay, type ReplayRules, type ReplayText} from './replay.ts';
import {visitsOf} from './visits.ts';

/** What twins are run from. */
export type TwinsQuestion = {
	readonly rules: ReplayRules;
	/** The anchor: the state that was validated. */
	readonly start: StateTensor;
	readonly baseline: Baseline;
	/** After how many texts a twin's row is taken; ascending. */
	readonly lengths: readonly number[];
	/** @default 99 */
	readonly count?: number;
	readonly random: Random;
};

const drawOne = <Item>(items: readonly Item[], random: Random): Item => items[Math.floor(random() * items.length)]!;

/**
 * Draws the texts of one twin: whole visits with replacement, from a baseline that is first redrawn
 * in the same way. So a twin differs by chance in its visits, and in what is ordinary to it.
 *
 * @returns `cycles` texts; the last visit may be cut
 */
export const drawTwin = <Text>(visits: ReadonlyArray<readonly Text[]>, cycles: number, random: Random): Text[] => {
	const redrawn = visits.map(() => drawOne(visits, random));
	const texts: Text[] = [];
	while (texts.length < cycles) {
		texts.push(...drawOne(redrawn, random));
	}

	return texts.slice(0, cycles);
};

/**
 * Runs twins from the anchor.
 *
 * @returns for each length, the row of thirdness of each twin
 */
export const runTwins = ({rules, start, baseline, lengths, count = 99, random}: TwinsQuestion): Float32Array[][] => {
	const visits = visitsOf(baseline).map(visit => visit.map(({vector, proposals}): ReplayText =>
		({kind: 'cycle', timestamp: start.timestamp, vector, proposals})));
	const rows = lengths.map((): Float32Array[] => []);
	for (let twin = 0; twin < count; twin++) {
		const texts = drawTwin(visits, lengths.at(-1) ?? 0, random);
		let working = startReplay(rules, start);
		for (const [i, length] of lengths.entries()) {
			working = replay(rules, working, texts.slice(lengths[i - 1] ?? 0, length));
			// A kernel's row may be a view of many.
			rows[i]!.push(working.state.row('thirdness').slice());
		}
	}

	return rows;
};
