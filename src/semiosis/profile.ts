/** The profile: a state projected on named directions (`docs/spec/numerics.md#profile`). */
import type {DirectionMatrix, Kernel} from '../kernel/kernel.ts';
import {memoizeWeak} from '../platform/immutable.ts';
import {indexOf, type Dimension} from '../kernel/dimensions.ts';
import type {Rows} from '../kernel/state-tensor.ts';
import type {Scale} from './scale.ts';

/** An axis of meaning with two poles. Projection skips a direction without a vector. */
export type Direction = {
	name: string;
	category: string;
	polePositive: string;
	poleNegative: string;
	/** 1024 floats, of unit length. */
	vector?: Float32Array;
	/** The distribution of example sentences on it; absent if none are known. */
	scale?: Scale;
	/** The part of it that is read, and its quality. Absent if its own example sentences are not known; then `vector` is read. */
	reading?: DirectionReading;
};

/** The part of a direction that is read (`docs/spec/instruments.md#3-profile-with-units`). */
export type DirectionReading = {
	/** The direction's specific part, without the tone and the usual variation of sentences. 1024 floats, of unit length. */
	vector: Float32Array;
	/** The held-out area under the curve of its own sentences, 0 … 1; 0.5 is chance. */
	quality: number;
	/** The correlation of its vector with the pleasant–unpleasant axis, over the example sentences. */
	valence: number;
	/** The pleasant–unpleasant axis, which is taken out of all directions of a catalogue; null on the axis itself. */
	tone: Direction | null;
};

/** The key of a direction, `<category>.<name>`, as on the wire. */
export const keyOf = ({category, name}: Pick<Direction, 'category' | 'name'>): string => `${category}.${name}`;

/** One projection, with the poles of its direction. */
export type ProfileEntry = {
	/** The projection, rounded to 4 decimals. */
	value: number;
	dimension: Dimension;
	polePositive: string;
	poleNegative: string;
};

/** Category → direction name → entry. */
export type Profile = Record<string, Record<string, ProfileEntry>>;

const dimensionByCategory = new Map<string, Dimension>(Object.entries({
	epistemic: 'firstness',
	affective: 'dispositions',
	cognitive: 'thirdness',
	relational: 'engagements',
	ethical: 'valeurs',
	temporal: 'orientations',
	thematic: 'pertinences',
	metacognitive: 'secondness',
	vital: 'dispositions',
	ecosystemic: 'engagements',
	philosophical: 'thirdness',
}));

/** The dimension of a category's directions; thirdness for an unknown category. */
export const dimensionOf = (category: string): Dimension => dimensionByCategory.get(category) ?? 'thirdness';

/** Rounds to 4 decimals, half away from zero. */
export const round4 = (value: number): number => Math.sign(value) * Math.round(Math.abs(value) * 1e4) / 1e4 || 0;

/** The matrix of a list of directions. It is the same object at each call, so that a kernel can cache it. */
const toMatrix = memoizeWeak((directions: readonly Direction[]) => {
	const projectable = directions.filter(({vector}) => vector);
	const vectors = projectable.map(({vector}) => vector!);
	const matrix: DirectionMatrix = {rows: Uint8Array.from(projectable, ({category}) => indexOf(dimensionOf(category))), vectors};
	const onThirdness: DirectionMatrix = {rows: new Uint8Array(vectors.length).fill(indexOf('thirdness')), vectors};
	return {projectable, matrix, onThirdness};
});

/** Projects several states on the same directions. Two take little more time than one. */
export const projectProfiles = (kernel: Kernel, states: readonly Rows[], directions: readonly Direction[]): Profile[] => {
	const {projectable, matrix} = toMatrix(directions);
	return kernel.project(states, matrix).map(values => profileOf(projectable, values));
};

export const projectProfile = (kernel: Kernel, state: Rows, directions: readonly Direction[]): Profile =>
	projectProfiles(kernel, [state], directions)[0]!;

/** A direction's value on a row of a state, unrounded. */
export type DirectionValue = {direction: Direction; dimension: Dimension; value: number};

/**
 * Projects a state on every direction that has a vector, in order.
 *
 * @param on The dimension for all directions. @default that of each direction's category
 */
export const projectDirections = (kernel: Kernel, state: Rows, directions: readonly Direction[], on?: Dimension): DirectionValue[] => {
	const {projectable, matrix} = toMatrix(directions);
	const values = on === undefined ? kernel.project([state], matrix)[0]! : kernel.dots(state[indexOf(on)]!, matrix.vectors);
	return projectable.map((direction, i) => ({direction, dimension: on ?? dimensionOf(direction.category), value: values[i]!}));
};

/** Projects the thirdness of two states on every direction that has a vector, in order. */
export const projectThirdness = (
	kernel: Kernel, states: readonly [Rows, Rows], directions: readonly Direction[],
): {projectable: readonly Direction[]; first: readonly number[]; second: readonly number[]} => {
	const {projectable, onThirdness} = toMatrix(directions);
	const [first, second] = kernel.project(states, onThirdness);
	return {projectable, first: first!, second: second!};
};

const profileOf = (projectable: readonly Direction[], values: readonly number[]): Profile => {
	// Names come from data: with a null prototype, `__proto__` is a plain name.
	const profile = Object.create(null) as Profile;
	for (const [i, {category, name, polePositive, poleNegative}] of projectable.entries()) {
		profile[category] ??= Object.create(null) as Profile[string];
		profile[category][name] = {value: round4(values[i]!), dimension: dimensionOf(category), polePositive, poleNegative};
	}

	return profile;
};

/** The mean of X_d · R_d over the dimensions, rounded to 4 decimals. */
export const referenceSimilarity = (kernel: Kernel, state: Rows, reference: Rows): number => round4(kernel.similarity(state, reference));

/** One entry of a profile with its key. */
export type Projection = ProfileEntry & {
	/** `<category>.<name>`, as on the wire. */
	key: string;
};

/**
 * The number of projections that a translation uses and that faithfulness compares. A text of a few sentences cannot express more,
 * and the weakest of a hundred directions are noise.
 */
export const maxStrongest = 20;

/** Selects the {@link maxStrongest} projections with the largest absolute values; equal ones are ordered by key. */
export const strongestProjections = (profile: Profile): Projection[] =>
	Object.entries(profile)
		.flatMap(([category, entries]) => Object.entries(entries).map(([name, entry]) => ({...entry, key: keyOf({category, name})})))
		.toSorted((a, b) => Math.abs(b.value) - Math.abs(a.value) || (a.key < b.key ? -1 : 1))
		.slice(0, maxStrongest);
