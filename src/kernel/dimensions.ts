/**
 * The eight dimensions of a state, in the order that everything numeric follows
 * (`docs/spec/numerics.md#notation`): weights, rows of a tensor, scores, golden data.
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

/** The number of floats in a row of a state. */
export const width = 1024;

/** The index of a dimension in the order. */
export const indexOf = (dimension: Dimension): number => dimensions.indexOf(dimension);
