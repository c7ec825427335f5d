/** Loads the initial state of an identity from the store (`docs/spec/interface.md#initial-state`). */
import {StoreError} from '../errors.ts';
import {stateFromThoughts} from '../semiosis/initial-state.ts';
import {toUnitLength} from '../tensor/normalise.ts';
import {width} from '../tensor/dimensions.ts';
import {StateTensor} from '../tensor/state-tensor.ts';
import type {Random} from '../clock.ts';
import type {Store} from '../store/store.ts';

const maxThoughts = 500;

/** What the initial state is computed with. */
export type InitialStateOptions = {
	/** Identifier of the loaded embedding model. Vectors of other models cannot be used. */
	model: string;
	/** Source of the noise in dimensions without thoughts. */
	random: Random;
	signal?: AbortSignal;
};

/** The initial state, and a warning for each kind of skipped thoughts. */
export type LoadedInitialState = {state: StateTensor; warnings: string[]};

/**
 * Loads the newest stored state: a whole tensor, or one base vector mixed with thoughts. Thoughts
 * of another width than 1024, and those known to be of another model, are skipped.
 *
 * @throws {StoreError} if the store fails, has no state, or its newest state cannot be used.
 *
 * @example
 * ```ts
 * import {bundledModel} from 'processual-state/embedding';
 * import {createIdentity} from 'processual-state';
 * import {loadInitialState} from 'processual-state/sources';
 * import {openSqliteStore} from 'processual-state/store';
 *
 * const store = openSqliteStore('./identity/store.sqlite');
 * const identity = createIdentity({
 * 	initialState: async () => loadInitialState(store, {model: bundledModel, random: Math.random}),
 * 	requireInitialState: true,
 * });
 * await identity.ready();
 * ```
 */
export const loadInitialState = async (store: Store, {model, random, signal}: InitialStateOptions): Promise<LoadedInitialState> => {
	const stored = await store.latestState(signal);
	if (!stored) {
		throw new StoreError(`${store.place} has no state. Import one, for the embedded store with “processual import state FILE”.`);
	}

	const {stateId, timestamp} = stored;
	if (stored.model !== null && stored.model !== model) {
		throw new StoreError(`${store.place} has a state of the embedding model “${stored.model}”, but “${model}” is loaded. Import the state again under “${model}”, or set EMBEDDING_MODEL to “${stored.model}”.`);
	}

	if ('rows' in stored) {
		if (stored.rows.some(row => row.length !== width)) {
			throw new StoreError(`${store.place} has a newest state whose rows do not have ${width} components. Import another one.`);
		}

		return {state: new StateTensor(stateId, timestamp, stored.rows.map(toUnitLength)), warnings: []};
	}

	if (stored.vector.length !== width) {
		throw new StoreError(`${store.place} has a newest state vector of ${stored.vector.length} components instead of ${width}. Import another one.`);
	}

	const all = await store.thoughts(maxThoughts, signal);
	const comparable = all.filter(thought => thought.model === null || thought.model === model);
	const thoughts = comparable.filter(({vector}) => vector.length === width && vector.every(Number.isFinite));
	const skipped = ([[all.length - comparable.length, 'of another embedding model'], [comparable.length - thoughts.length, `not ${width} finite floats`]] as const)
		.filter(([count]) => count > 0)
		.map(([count, what]) => `${count} of ${all.length} thoughts are skipped: their vectors are ${what}.`);
	return {state: stateFromThoughts({stateId, timestamp, base: stored.vector, thoughts}, random), warnings: skipped};
};
