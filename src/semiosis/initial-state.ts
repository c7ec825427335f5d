/** The initial state: from a stored vector and thoughts, or random (`docs/spec/interface.md#initial-state`). */
import {dimensions, width, type Dimension} from '../kernel/dimensions.ts';
import {StateTensor} from '../kernel/state-tensor.ts';
import type {Random} from '../platform/clock.ts';
import {normalise} from '../kernel/normalise.ts';

/** A stored thought; its type determines its dimension. */
type Thought = {type: string | null; vector: Float32Array};

/** An identity in a store: its latest state vector, and its thoughts; 1024 floats each. */
export type StoredIdentity = {stateId: number; timestamp: string; base: Float32Array; thoughts: readonly Thought[]};

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

/** The shares of the base and of the mean thought in a dimension with thoughts. */
const baseShare = 0.7;
const thoughtShare = 0.3;

/** Standard deviation, per component, of the noise on the base in a dimension without thoughts. */
const noiseDeviation = 0.05;

/**
 * Eight unit rows: the base mixed with the mean of the dimension's thoughts, or with noise in a
 * dimension without thoughts. Thoughts of an unknown type belong to thirdness.
 */
export const stateFromThoughts = ({stateId, timestamp, base, thoughts}: StoredIdentity, random: Random): StateTensor => {
	const draw = gaussian(random);
	const byDimension = Map.groupBy(thoughts, ({type}) => dimensionByType.get(type) ?? 'thirdness');
	return new StateTensor(stateId, timestamp, dimensions.map(dimension => {
		const own = byDimension.get(dimension);
		return normalise(own
			? Float64Array.from(base, (value, i) =>
				baseShare * value + thoughtShare * own.reduce((sum, {vector}) => sum + vector[i]!, 0) / own.length)
			: Float64Array.from(base, value => value + noiseDeviation * draw()));
	}));
};

/** Eight random unit rows with state id 0, for an identity without a stored state. */
export const randomState = (random: Random, timestamp: string): StateTensor => {
	const draw = gaussian(random);
	return new StateTensor(0, timestamp, dimensions.map(() => normalise(new Float64Array(width).map(draw))));
};

/** Draws standard normal numbers, by the method of Box and Muller (1958). */
const gaussian = (random: Random) => (): number =>
	Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
