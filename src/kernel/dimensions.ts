/**
 * The eight dimensions of a state. Weights, rows of a tensor, scores and golden data all have this order
 * (`docs/spec/numerics.md#notation`).
 */

/** The names of the dimensions, in order. */
export const dimensions = Object.freeze([
	'firstness',
	'secondness',
	'thirdness',
	'dispositions',
	'orientations',
	'engagements',
	'pertinences',
	'valeurs',
] as const);

/** The name of one of the eight dimensions. */
export type Dimension = (typeof dimensions)[number];

export const byDimension = <Value>(valueOf: (name: Dimension, index: number) => Value): Record<Dimension, Value> =>
	Object.fromEntries(dimensions.map((name, index) => [name, valueOf(name, index)])) as Record<Dimension, Value>;

/** The number of floats in a row of a state. */
export const width = 1024;

/** The index of a dimension in the order. */
export const indexOf = (dimension: Dimension): number => dimensions.indexOf(dimension);

/** The indices of the rows that pull; thirdness is the one that moves. */
export const secondness: number = indexOf('secondness');
export const thirdness: number = indexOf('thirdness');
export const valeurs: number = indexOf('valeurs');

/**
 * Rows are allocated in blocks: a row with a separate buffer takes V8 0.8 µs, its copy included, and one from a block of 16 takes
 * 0.3 µs. The price: a row in use keeps its whole block in memory.
 */
const rowsPerBlock = 16;

/** Allocates the rows that a kernel makes. @returns a function that returns a new row of zeros */
export const createRowAllocator = (): (() => Float32Array) => {
	let block = new Float32Array(0);
	let next = 0;
	return () => {
		if (next === block.length) {
			block = new Float32Array(rowsPerBlock * width);
			next = 0;
		}

		return block.subarray(next, next += width);
	};
};
