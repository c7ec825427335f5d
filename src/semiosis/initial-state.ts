/** Where a state begins: from a stored vector and thoughts, or at random (`docs/spec/interface.md#initial-state`). */
import {dimensions, width, type Dimension} from '../tensor/dimensions.ts';
import {StateTensor} from '../tensor/state-tensor.ts';
import type {Random} from '../clock.ts';
import {normalise} from '../tensor/normalise.ts';

/** A stored thought; its type says which dimension it belongs to. */
export type Thought = {type: string | null; vector: Float32Array};

/** What the store gives to begin from: its latest state vector, and thoughts of 1024 floats each. */
export type Beginning = {stateId: number; timestamp: string; base: Float32Array; thoughts: readonly Thought[]};

const dimensionByType = new Map<string | null, Dimension>(Object.entries({
	reflection: 'firstness',
	question: 'secondness',
	insight: 'thirdness',
	emotion: 'dispositions',
	intention: 'orientations',
	dialogue: 'engagements',
	observation: 'pertinences',
	principle: 'valeurs',
}));

/** Shares of the base and of the mean thought in a dimension that has thoughts. */
const baseShare = 0.7;
const thoughtShare = 0.3;

/** Standard deviation, per component, of the noise on the base in a dimension without thoughts. */
const noise = 0.05;

/**
 * Eight unit rows: the base mixed with the mean of the dimension's thoughts, or with noise where
 * it has none. Thoughts of an unknown type belong to thirdness.
 */
export const stateFromThoughts = ({stateId, timestamp, base, thoughts}: Beginning, random: Random): StateTensor => {
	const draw = gaussian(random);
	const byDimension = Map.groupBy(thoughts, ({type}) => dimensionByType.get(type) ?? 'thirdness');
	return new StateTensor(stateId, timestamp, dimensions.map(dimension => {
		const own = byDimension.get(dimension);
		return normalise(own
			? Float64Array.from(base, (value, i) => baseShare * value + thoughtShare * own.reduce((sum, {vector}) => sum + vector[i]!, 0) / own.length)
			: Float64Array.from(base, value => value + noise * draw()));
	}));
};

/** Eight random unit rows with state id 0: where nothing better is known. */
export const randomState = (random: Random, timestamp: string): StateTensor => {
	const draw = gaussian(random);
	return new StateTensor(0, timestamp, dimensions.map(() => normalise(Float64Array.from({length: width}, draw))));
};

/** Standard normal numbers, by the method of Box and Muller (1958). */
const gaussian = (random: Random) => (): number =>
	Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
