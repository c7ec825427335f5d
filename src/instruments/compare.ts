/**
 * Two rows of thirdness side by side, direction by direction, and their difference in words
 * (`docs/spec/instruments.md#7-history-and-diff`).
 */
import type {Kernel} from '../kernel/kernel.ts';
import type {Direction} from '../semiosis/profile.ts';

/** One direction on two rows of thirdness. */
export type DirectionChange = {
	/** `<category>.<name>` */
	readonly key: string;
	readonly polePositive: string;
	readonly poleNegative: string;
	readonly from: number;
	readonly to: number;
	readonly change: number;
	/** The change in standard deviations of ordinary sentences; null without a scale. */
	readonly zChange: number | null;
};

/** How many directions a comparison has. */
const maxCompared = 10;

/** Under one standard deviation a change is no different from what one sentence is from another. */
const minTold = 1;

/** A longer sentence is not read. */
const maxTold = 4;

/** The directions that differ most between two rows, the strongest first: by the unit, or by the change where there is none. */
export const compareRows = (kernel: Kernel, from: Float32Array, to: Float32Array, directions: readonly Direction[]): DirectionChange[] => {
	const projectable = directions.filter(({vector}) => vector);
	const vectors = projectable.map(({vector}) => vector!);
	const [before, after] = [kernel.dots(from, vectors), kernel.dots(to, vectors)];
	return projectable
		.map(({category, name, polePositive, poleNegative, scale}, i) => {
			const change = after[i]! - before[i]!;
			return {key: `${category}.${name}`, polePositive, poleNegative, from: before[i]!, to: after[i]!, change, zChange: scale ? change / scale.deviation : null};
		})
		.toSorted((a, b) => Math.abs(b.zChange ?? b.change) - Math.abs(a.zChange ?? a.change))
		.slice(0, maxCompared);
};

/** What changed, in a sentence. */
export const describeChanges = (changes: readonly DirectionChange[]): string => {
	const told = changes.filter(({zChange}) => zChange !== null && Math.abs(zChange) >= minTold).slice(0, maxTold);
	if (told.length > 0) {
		return `It is now more ${told.map(({zChange, polePositive, poleNegative}) => `${zChange! > 0 ? polePositive : poleNegative} (${Math.abs(zChange!).toFixed(1)})`).join(', ')}; the numbers are standard deviations of ordinary sentences.`;
	}

	return changes.some(({zChange}) => zChange !== null)
		? 'No direction moved by as much as one standard deviation of ordinary sentences.'
		: 'The directions have no scale, so what stands out is not known.';
};
