/** Loads the initial state of an identity from the store (`docs/spec/interface.md#initial-state`). */
import type {Encoder} from '../embedding/encoder.ts';
import {originalModel} from '../embedding/use-lite/identifier.ts';
import {StoreError, type Warn, warnToConsole} from '../platform/errors.ts';
import {stateFromThoughts} from '../semiosis/initial-state.ts';
import {toUnitLength} from '../kernel/normalise.ts';
import {width} from '../kernel/dimensions.ts';
import {StateTensor} from '../kernel/state-tensor.ts';
import type {Random} from '../platform/clock.ts';
import type {Store, StoredState} from './store/store.ts';
import {nameOf} from '../platform/option-names.ts';

const maxThoughts = 500;

/** Options of {@link loadInitialState}; a `Boot` fits. */
export type InitialStateOptions = {
	/** The encoder. Vectors of other models cannot be used. */
	encoder: Pick<Encoder, 'passport'>;
	/** Source of the noise in dimensions without thoughts. @default Math.random */
	random?: Random;
	/** Ends the reading. @default undefined */
	signal?: AbortSignal;
	/** Called for each kind of skipped thoughts. @default console.warn */
	warn?: Warn;
};

/**
 * Loads the newest stored state: a whole tensor, or one base vector mixed with thoughts. Thoughts
 * of another width than 1024, and those known to be of another model, are skipped.
 *
 * @throws {StoreError} if the store fails, has no state, or its newest state cannot be used.
 *
 * @example
 * ```ts
 * import {createIdentity} from 'processual-state';
 * import {loadInitialState} from 'processual-state/sources';
 * import {openSqliteStore} from 'processual-state/store';
 *
 * const store = openSqliteStore('./identity/store.sqlite');
 * const identity = createIdentity({
 * 	initialState: async boot => loadInitialState(store, boot),
 * 	requireInitialState: true,
 * });
 * await identity.ready();
 * ```
 */
export const loadInitialState = async (
	store: Store, {encoder: {passport: {model}}, random = Math.random, signal, warn = warnToConsole}: InitialStateOptions,
): Promise<StateTensor> => {
	const stored = await store.latestState(signal);
	if (!stored) {
		throw new StoreError(`${store.place} has no state. Import one, for the embedded store with “processual import state FILE”.`);
	}

	const {stateId, timestamp} = stored;
	requireModelOf(stored, model, store.place);

	if ('rows' in stored) {
		if (stored.rows.some(row => row.length !== width)) {
			throw new StoreError(`${store.place} has a newest state whose rows do not have ${width} components. Import another one.`);
		}

		return new StateTensor(stateId, timestamp, stored.rows.map(toUnitLength));
	}

	if (stored.vector.length !== width) {
		throw new StoreError(`${store.place} has a newest state vector of ${stored.vector.length} components instead of ${width}. `
			+ 'Import another one.');
	}

	const all = await store.thoughts(maxThoughts, signal);
	const comparable = all.filter(thought => thought.model === null || thought.model === model);
	const thoughts = comparable.filter(({vector}) => vector.length === width && vector.every(Number.isFinite));
	for (const [count, what] of [
		[all.length - comparable.length, 'of another embedding model'], [comparable.length - thoughts.length, `not ${width} finite floats`],
	] as const) {
		if (count > 0) {
			warn(`${count} of ${all.length} thoughts are skipped: their vectors are ${what}.`);
		}
	}

	return stateFromThoughts({stateId, timestamp, base: stored.vector, thoughts}, random);
};

/** @throws {StoreError} if the state is of another embedding model. @param place Where the state is, for the message. */
export const requireModelOf = (state: StoredState, model: string, place: string): void => {
	if (state.model !== null && state.model !== model) {
		throw new StoreError(`${place} has a state of the embedding model “${state.model}”, but the identity's is “${model}”. `
			+ `Run “processual reembed” with “${model}” where its journal is, and export the state again`
			+ (state.model === originalModel ? '.' : `; or set ${nameOf('encoder.model')} to “${state.model}”.`));
	}
};
