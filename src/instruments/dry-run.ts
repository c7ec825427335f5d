/**
 * The dry run: what a text would do before it is said
 * (`docs/spec/instruments.md#1-replay-core-dry-run-what-if-fork`).
 */
import {projectRows, type Direction} from '../semiosis/profile.ts';
import type {CycleChange, EmbeddedText, WorkingState} from '../semiosis/run-cycle.ts';
import {turnMrad} from './displacement.ts';
import {replay, type ReplayRules} from './replay.ts';

/** A direction on thirdness, before and after a text. */
export type DirectionMove = {
	/** `<category>.<name>` */
	readonly key: string;
	readonly polePositive: string;
	readonly poleNegative: string;
	readonly before: number;
	readonly after: number;
	readonly change: number;
};

/** How many directions a dry run has. */
const maxMoves = 10;

/** What a cycle of a text would change. */
export type DryRunResult = {
	step: CycleChange;
	/** How far thirdness would turn. */
	turnMrad: number;
	/** The directions that would move most, on thirdness. */
	moves: DirectionMove[];
};

/** Runs the cycle of a text on a state that keeps. */
export const runDry = (rules: ReplayRules, before: WorkingState, text: EmbeddedText, timestamp: string, directions: readonly Direction[]): DryRunResult => {
	let step: CycleChange;
	replay(rules, before, [{kind: 'cycle', timestamp, ...text}], change => {
		step = change;
	});
	const [from, to] = [before.state.row('thirdness'), step!.state.row('thirdness')];
	const moves = projectRows(rules.kernel, from, to, directions)
		.map(({direction: {category, name, polePositive, poleNegative}, first, second}) =>
			({key: `${category}.${name}`, polePositive, poleNegative, before: first, after: second, change: second - first}))
		.toSorted((a, b) => Math.abs(b.change) - Math.abs(a.change))
		.slice(0, maxMoves);
	return {step: step!, turnMrad: turnMrad(from, to), moves};
};
