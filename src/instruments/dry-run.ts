/**
 * The dry run: what a text would do before it is said
 * (`docs/spec/instruments.md#1-replay-core-dry-run-what-if-fork`).
 */
import type {Move} from '../generated/types.ts';
import {keyOf, projectThirdness, type Direction} from '../semiosis/profile.ts';
import type {CycleChange, EmbeddedText, WorkingState} from '../semiosis/run-cycle.ts';
import {topK} from '../kernel/top-k.ts';
import {turnMrad} from '../kernel/dot.ts';
import {toTell} from './readable.ts';
import {replay, type ReplayRules} from './replay.ts';

/** How many directions a dry run has. */
const maxMoves = 10;

/** What a cycle of a text would change. */
export type DryRunResult = {
	step: CycleChange;
	/** How far thirdness would turn. */
	turnMrad: number;
	/** The directions that would move most, on thirdness. */
	moves: Move[];
};

/** Runs the cycle of a text on a state that keeps. */
export const runDry = (
	rules: ReplayRules, before: WorkingState, text: EmbeddedText, timestamp: string, directions: readonly Direction[],
): DryRunResult => {
	let step: CycleChange;
	replay(rules, before, [{kind: 'cycle', timestamp, ...text}], change => {
		step = change;
	});
	const [from, to] = [before.state.row('thirdness'), step!.state.row('thirdness')];
	const {projectable, first, second} = projectThirdness(rules.kernel, [before.state.rows, step!.state.rows], toTell(directions));
	const sizes = new Float64Array(first.length);
	for (let i = 0; i < sizes.length; i++) {
		sizes[i] = Math.abs(second[i]! - first[i]!);
	}

	const moves = topK(sizes, maxMoves).map(({place}) => {
		const direction = projectable[place]!;
		const {polePositive, poleNegative} = direction;
		const [value, after] = [first[place]!, second[place]!];
		return {key: keyOf(direction), polePositive, poleNegative, before: value, after, change: after - value};
	});
	return {step: step!, turnMrad: turnMrad(from, to), moves};
};
