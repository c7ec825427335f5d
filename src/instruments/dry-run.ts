/** The dry run: the effect that a text would have (`docs/spec/instruments.md#1-replay-core-dry-run-what-if-fork`). */
import type {Move} from '../generated/types.ts';
import {keyOf, projectThirdness, type Direction} from '../semiosis/profile.ts';
import {runCycle, type CycleRules, type EmbeddedText, type WorkingState} from '../semiosis/run-cycle.ts';
import {topK} from '../kernel/top-k.ts';
import {turnMrad} from '../kernel/dot.ts';
import {selectReadable} from './scaled-profile.ts';

/** The most directions that a dry run names. */
const maxMoves = 10;

/** Runs the cycle of a text without applying it. @returns the step, the angle of thirdness, and the directions that would move most */
export const runDry = (
	rules: CycleRules, before: WorkingState, text: EmbeddedText, timestamp: string, directions: readonly Direction[],
) => {
	const step = runCycle(rules, before, text, timestamp);
	const [from, to] = [before.state.row('thirdness'), step.state.row('thirdness')];
	const {projectable, first, second} = projectThirdness(rules.kernel, [before.state.rows, step.state.rows], selectReadable(directions));
	const sizes = Float64Array.from(first, (value, i) => Math.abs(second[i]! - value));
	const moves = topK(sizes, maxMoves).map(({place}): Move => {
		const direction = projectable[place]!;
		const {polePositive, poleNegative} = direction;
		const [value, after] = [first[place]!, second[place]!];
		return {key: keyOf(direction), polePositive, poleNegative, before: value, after, change: after - value};
	});
	return {step, turnMrad: turnMrad(from, to), moves};
};
