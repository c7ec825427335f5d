/** The profile: a state projected on named directions (`docs/spec/numerics.md#profile`). */
import type {DirectionMatrix, Kernel} from '../kernel/kernel.ts';
import {memoizeWeak} from '../memoize-weak.ts';
import {indexOf, type Dimension} from '../tensor/dimensions.ts';
import type {Rows} from '../tensor/state-tensor.ts';

/** An axis of meaning with two poles. One without a vector is known but cannot be projected on. */
export type Direction = {
	name: string;
	category: string;
	polePositive: string;
	poleNegative: string;
	/** 1024 floats, of unit length. */
	vector?: Float32Array;
};

/** One projection, and what its direction means. */
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

/** The dimension that a category's directions are projected on; thirdness for an unknown one. */
export const dimensionOf = (category: string): Dimension => dimensionByCategory.get(category) ?? 'thirdness';

/** Rounds to 4 decimals, half away from zero. */
const round4 = (value: number): number => Math.sign(value) * Math.round(Math.abs(value) * 1e4) / 1e4 || 0;

/** Directions laid out for a kernel, once per list, so that the kernel can keep them. */
const layOut = memoizeWeak((directions: readonly Direction[]): {projectable: Direction[]; matrix: DirectionMatrix} => {
	const projectable = directions.filter(({vector}) => vector);
	return {
		projectable,
		matrix: {
			rows: Uint8Array.from(projectable, ({category}) => indexOf(dimensionOf(category))),
			vectors: projectable.map(({vector}) => vector!),
		},
	};
});

/** The profiles of several states on the same directions. Two cost little more than one. */
export const projectProfiles = (kernel: Kernel, states: readonly Rows[], directions: readonly Direction[]): Profile[] => {
	const {projectable, matrix} = layOut(directions);
	return kernel.project(states, matrix).map(values => profileOf(projectable, values));
};

export const projectProfile = (kernel: Kernel, state: Rows, directions: readonly Direction[]): Profile =>
	projectProfiles(kernel, [state], directions)[0]!;

const profileOf = (projectable: readonly Direction[], values: readonly number[]): Profile => {
	// Names come from data: a null prototype keeps one like `__proto__` a name.
	const profile = Object.create(null) as Profile;
	for (const [i, {category, name, polePositive, poleNegative}] of projectable.entries()) {
		profile[category] ??= Object.create(null) as Profile[string];
		profile[category][name] = {value: round4(values[i]!), dimension: dimensionOf(category), polePositive, poleNegative};
	}

	return profile;
};

/** Mean over the dimensions of X_d · R_d, rounded to 4 decimals. */
export const referenceSimilarity = (kernel: Kernel, state: Rows, reference: Rows): number => round4(kernel.similarity(state, reference));
