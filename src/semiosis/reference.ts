/**
 * The reference tensor x_ref: the person that the state is compared with, adjusted towards what
 * that person declares of themselves (`docs/spec/numerics.md#reference-from-a-declared-profile`).
 */
import type {Adjustment, Kernel} from '../kernel/kernel.ts';
import {indexOf} from '../tensor/dimensions.ts';
import {StateTensor} from '../tensor/state-tensor.ts';
import {dimensionOf, type Direction} from './profile.ts';

/** Per category, in the file's order: direction names with values from −10 to 10, or null where nothing is declared. */
export type DeclaredProfile = ReadonlyArray<readonly [category: string, values: ReadonlyArray<readonly [name: string, value: number | null]>]>;

/** What is known of the reference person. */
export type Person = {
	/** What they wrote; null where nothing is known. */
	words: string | null;
	/** What they declare of themselves; null where they do not. */
	profile: DeclaredProfile | null;
};

/** A declared 10 aims at a projection of 1/6. */
const valueScale = 60;

/**
 * Moves the declared categories' dimensions along the declared directions, one category after
 * another, and normalises after each. A name that no direction has is passed over, a null too;
 * of directions with the same name the last counts, whatever their categories.
 */
export const adjustReference = (kernel: Kernel, reference: StateTensor, profile: DeclaredProfile, directions: readonly Direction[]): StateTensor => {
	const vectors = new Map(directions.map(({name, vector}) => [name, vector]));
	const rows = [...reference.rows];
	for (const [category, values] of profile) {
		const d = indexOf(dimensionOf(category));
		const adjustments = values.flatMap(([name, value]): Adjustment[] => {
			const direction = vectors.get(name);
			return direction && value !== null ? [{direction, target: value / valueScale}] : [];
		});
		rows[d] = kernel.adjust(rows[d]!, adjustments);
	}

	return new StateTensor(reference.stateId, reference.timestamp, rows);
};

/** The declared names that no direction has, as `category.name`. */
export const findUnknownNames = (profile: DeclaredProfile, directions: readonly Direction[]): string[] => {
	const known = new Set(directions.map(({name}) => name));
	return profile.flatMap(([category, values]) => values.filter(([name]) => !known.has(name)).map(([name]) => `${category}.${name}`));
};
