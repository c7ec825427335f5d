/**
 * The reference tensor x_ref: the person with whom the state is compared, adjusted towards that
 * person's declared profile (`docs/spec/numerics.md#reference-from-a-declared-profile`).
 */
import type {Adjustment, Kernel} from '../kernel/kernel.ts';
import {indexOf} from '../kernel/dimensions.ts';
import {StateTensor, type Rows} from '../kernel/state-tensor.ts';
import {dimensionOf, type Direction} from './profile.ts';

/** For each category, in the file's order: direction names with values from −10 to 10, or null if not declared. */
export type DeclaredProfile = ReadonlyArray<
	readonly [category: string, values: ReadonlyArray<readonly [name: string, value: number | null]>]
>;

/** The reference person. */
export type Person = {
	/** The person's messages; null if there are none. */
	words: string | null;
	/** The person's declared profile; null if there is none. */
	profile: DeclaredProfile | null;
	/** Embeds the reference's texts, for example from a cache. @default the identity's encoder */
	embed?: (text: string, signal: AbortSignal) => Promise<Float32Array>;
};

const referenceId = -1;

/** A declared value of 10, the highest, aims at a projection of 10/60. */
export const declaredValueScale = 60;

/** Makes the reference of eight unit embeddings, one per dimension in order. @throws {RangeError} unless there are 8 of 1024 floats. */
export const createReference = (rows: Rows, timestamp: string): StateTensor => new StateTensor(referenceId, timestamp, rows);

/**
 * Moves each declared category's dimension along the declared directions, category by category,
 * and normalises after each. Unknown names and null values are skipped. Among directions with
 * the same name the last one counts, whatever its category.
 */
export const adjustReference = (
	kernel: Kernel, reference: StateTensor, profile: DeclaredProfile, directions: readonly Direction[],
): StateTensor => {
	const vectors = new Map(directions.map(({name, vector}) => [name, vector]));
	const rows = [...reference.rows];
	for (const [category, values] of profile) {
		const d = indexOf(dimensionOf(category));
		const adjustments = values.flatMap(([name, value]): Adjustment[] => {
			const direction = vectors.get(name);
			return direction && value !== null ? [{direction, target: value / declaredValueScale}] : [];
		});
		rows[d] = kernel.adjust(rows[d]!, adjustments);
	}

	return new StateTensor(reference.stateId, reference.timestamp, rows);
};

/** Finds the declared names without a direction, as `category.name`. */
export const findUnknownNames = (profile: DeclaredProfile, directions: readonly Direction[]): string[] => {
	const known = new Set(directions.map(({name}) => name));
	return profile.flatMap(([category, values]) => values.filter(([name]) => !known.has(name)).map(([name]) => `${category}.${name}`));
};
