/**
 * What the store gives a process to begin from (`docs/spec/interface.md#initial-state`).
 */
import {StoreError} from '../errors.ts';
import {stateFromThoughts} from '../semiosis/initial-state.ts';
import {toUnitLength} from '../tensor/normalise.ts';
import {width} from '../tensor/dimensions.ts';
import {StateTensor} from '../tensor/state-tensor.ts';
import type {Random} from '../clock.ts';
import type {Store} from '../store/store.ts';

/** How many thoughts are read. */
const most = 500;

/** What a beginning depends on besides the store. */
export type InitialStateOptions = {
	/** Identifier of the loaded embedding model: vectors of another one cannot be compared. */
	model: string;
	random: Random;
	signal?: AbortSignal;
};

/** The first state, and what could not be used for it. */
export type LoadedInitialState = {state: StateTensor; warnings: string[]};

/**
 * The state that the store describes: a whole tensor as it stands, or one base vector mixed with
 * thoughts. Thoughts that are not 1024 long are skipped, and so are those known to be of another model.
 *
 * @throws {StoreError} when the store fails, has no state, or one that cannot be used
 *
 * @example
 * ```ts
 * import {bundledModel} from 'processual-state/embedding';
 * import {createProcess} from 'processual-state';
 * import {loadInitialState} from 'processual-state/sources';
 * import {openSqliteStore} from 'processual-state/store';
 *
 * const store = openSqliteStore('./identity/store.sqlite');
 * const identity = createProcess({
 * 	initialState: async () => loadInitialState(store, {model: bundledModel, random: Math.random}),
 * 	requireInitialState: true,
 * });
 * await identity.ready();
 * ```
 */
export const loadInitialState = async (store: Store, {model, random, signal}: InitialStateOptions): Promise<LoadedInitialState> => {
	const stored = await store.latestState(signal);
	if (!stored) {
		throw new StoreError(`${store.place} has no state vector. Bring one in, for the embedded store with “processual import state FILE”.`);
	}

	const {stateId, timestamp} = stored;
	if (stored.model !== null && stored.model !== model) {
		throw new StoreError(`${store.place} has a state of the embedding model “${stored.model}”, and “${model}” is loaded: import it again under this model, or load that one.`);
	}

	if ('rows' in stored) {
		if (stored.rows.some(row => row.length !== width)) {
			throw new StoreError(`${store.place} has a state as the newest whose rows are not ${width} wide.`);
		}

		return {state: new StateTensor(stateId, timestamp, stored.rows.map(toUnitLength)), warnings: []};
	}

	if (stored.vector.length !== width) {
		throw new StoreError(`${store.place} has a state vector of ${stored.vector.length} components as the newest; it must have ${width}.`);
	}

	const all = await store.thoughts(most, signal);
	const ofModel = all.filter(thought => thought.model === null || thought.model === model);
	const thoughts = ofModel.filter(({vector}) => vector.length === width && vector.every(Number.isFinite));
	const skipped = ([[all.length - ofModel.length, 'of another embedding model'], [ofModel.length - thoughts.length, `without ${width} finite components`]] as const)
		.filter(([count]) => count > 0)
		.map(([count, what]) => `${count} of ${all.length} thoughts were skipped: vectors ${what}.`);
	return {state: stateFromThoughts({stateId, timestamp, base: stored.vector, thoughts}, random), warnings: skipped};
};
