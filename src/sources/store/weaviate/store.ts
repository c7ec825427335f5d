/** The store on a Weaviate server, read-only: the classes StateVector, Thought and ProjectionDirection, each object with its vector. */
import {Type} from '../../../platform/typebox.ts';
import {readTime} from '../../../platform/clock.ts';
import {StoreError} from '../../../platform/errors.ts';
import {maxInitialStateId} from '../../../semiosis/fixation.ts';
import type {Store} from '../store.ts';
import type {Class} from './answers.ts';
import {WeaviateClient} from './client.ts';

/** How to reach the Weaviate server. */
export type WeaviateOptions = {
	/** Address without `/v1`: `http://localhost:8080`. */
	url: string;
	/** Bearer key. @default undefined */
	apiKey?: string | undefined;
	/** Timeout of each request. @default 10,000 */
	timeoutMs?: number;
};

/**
 * Opens a store on a Weaviate server. It connects with the first request.
 *
 * @throws {ConfigurationError} if the address or the key cannot be used.
 *
 * @example
 * ```ts
 * import {createIdentity} from 'processual-state';
 * import {loadInitialState} from 'processual-state/sources';
 * import {openWeaviate} from 'processual-state/store';
 *
 * const store = openWeaviate({url: 'http://localhost:8080'});
 * export const identity = createIdentity({initialState: async boot => loadInitialState(store, boot)});
 * ```
 */
export const openWeaviate = ({url, apiKey, timeoutMs = 10_000}: WeaviateOptions): Store => {
	const client = new WeaviateClient({url, apiKey, timeoutMs});
	const place = `the Weaviate store at ${client.url}`;
	return {
		place,
		async latestState(signal) {
			const [found] = await client.list(StateVector, {by: 'state_id', order: 'desc', limit: 1}, signal);
			return found
				? {stateId: found.properties.state_id, timestamp: toUtc(found.properties.timestamp, place), model, vector: found.vector}
				: null;
		},
		async thoughts(limit, signal) {
			const found = await client.list(Thought, {by: '_creationTimeUnix', order: 'desc', limit}, signal);
			return found.map(({properties: {thought_type: type = null, content = null}, vector}) => ({type, content, model, vector}));
		},
		async nearestThoughts(vector, {limit, signal}) {
			const found = await client.nearest(Thought, vector, limit, signal);
			return found.slice(0, limit).map(thought => thought.vector);
		},
		async directions(signal) {
			const found = await client.list(ProjectionDirection, {by: '_creationTimeUnix', order: 'asc', limit: maxDirections}, signal);
			return found.map(({properties: {category, name, pole_positive, pole_negative}, vector}) => ({
				category: category ?? 'unknown',
				name,
				polePositive: pole_positive ?? '',
				poleNegative: pole_negative ?? '',
				model,
				vector,
			}));
		},
		async close() {
			client.close();
		},
	};
};

const OptionalText = Type.Optional(Type.Union([Type.String(), Type.Null()]));

const StateVector = {
	name: 'StateVector',
	properties: Type.Object({
		state_id: Type.Integer({minimum: Number.MIN_SAFE_INTEGER, maximum: maxInitialStateId}),
		timestamp: Type.String(),
	}),
} satisfies Class;

const Thought = {
	name: 'Thought',
	properties: Type.Object({thought_type: OptionalText, content: OptionalText}),
} satisfies Class;

const ProjectionDirection = {
	name: 'ProjectionDirection',
	properties: Type.Object({category: OptionalText, name: Type.String(), pole_positive: OptionalText, pole_negative: OptionalText}),
} satisfies Class;

/** Weaviate's default limit for paging. */
const maxDirections = 10_000;

/** Weaviate's objects do not name their model. */
const model = null;

/** Converts a time to UTC; without an offset, it is UTC already. @throws {StoreError} for any other text. */
const toUtc = (timestamp: string, place: string): string => {
	const time = readTime(timestamp);
	if (Number.isNaN(time)) {
		throw new StoreError(`${place} has a newest StateVector with the timestamp “${timestamp.slice(0, 50)}”, `
			+ 'which is not an ISO 8601 time. Correct it there.');
	}

	return new Date(time).toISOString();
};
