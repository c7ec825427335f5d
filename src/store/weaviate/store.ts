/**
 * The store on a Weaviate server: classes StateVector, Thought and ProjectionDirection, each
 * object with its vector. It is only read.
 */
import {Type} from 'typebox';
import {StoreError} from '../../errors.ts';
import {maxInitialStateId} from '../../semiosis/fixation.ts';
import type {Search, Store, StoredDirection, StoredState, StoredThought} from '../store.ts';
import type {Class} from './answers.ts';
import {WeaviateClient} from './client.ts';

/** Which server, and with what key. */
export type WeaviateOptions = {
	/** Where `/v1` is, without it: `http://localhost:8080`. */
	url: string;
	/** Bearer key, sent only when there is one. */
	apiKey?: string | undefined;
	/** For each request. */
	timeoutMilliseconds?: number;
};

/**
 * Asks nothing yet.
 *
 * @throws {ConfigurationError} when the address is none, or the key is none that can be sent.
 */
export const openWeaviate = ({url, apiKey, timeoutMilliseconds = 10_000}: WeaviateOptions): Store =>
	new WeaviateStore(new WeaviateClient({url, apiKey, timeoutMilliseconds}));

const maybeText = Type.Optional(Type.Union([Type.String(), Type.Null()]));

const StateVector = {
	name: 'StateVector',
	properties: Type.Object({
		state_id: Type.Integer({minimum: Number.MIN_SAFE_INTEGER, maximum: maxInitialStateId}),
		timestamp: Type.String(),
	}),
} satisfies Class;

const Thought = {
	name: 'Thought',
	properties: Type.Object({thought_type: maybeText, content: maybeText}),
} satisfies Class;

const ProjectionDirection = {
	name: 'ProjectionDirection',
	properties: Type.Object({category: maybeText, name: Type.String(), pole_positive: maybeText, pole_negative: maybeText}),
} satisfies Class;

/** More than a server gives by pages, unless it is configured to. */
const all = 10_000;

/** Objects keep no model's identifier. */
const model = null;

class WeaviateStore implements Store {
	readonly place: string;
	readonly #client: WeaviateClient;

	constructor(client: WeaviateClient) {
		this.#client = client;
		this.place = `the Weaviate store at ${client.url}`;
	}

	async latestState(signal?: AbortSignal): Promise<StoredState | null> {
		const [found] = await this.#client.list(StateVector, {by: 'state_id', order: 'desc', limit: 1}, signal);
		return found ? {stateId: found.properties.state_id, timestamp: this.#utc(found.properties.timestamp), model, vector: found.vector} : null;
	}

	async thoughts(limit: number, signal?: AbortSignal): Promise<StoredThought[]> {
		const found = await this.#client.list(Thought, {by: '_creationTimeUnix', order: 'desc', limit}, signal);
		return found.map(({properties: {thought_type: type = null, content = null}, vector}) => ({type, content, model, vector}));
	}

	async nearestThoughts(vector: Float32Array, {limit, signal}: Search): Promise<Float32Array[]> {
		const found = await this.#client.nearest(Thought, vector, limit, signal);
		return found.slice(0, limit).map(thought => thought.vector);
	}

	async directions(signal?: AbortSignal): Promise<StoredDirection[]> {
		const found = await this.#client.list(ProjectionDirection, {by: '_creationTimeUnix', order: 'asc', limit: all}, signal);
		return found.map(({properties: {category, name, pole_positive, pole_negative}, vector}) => ({
			category: category ?? 'unknown',
			name,
			polePositive: pole_positive ?? '',
			poleNegative: pole_negative ?? '',
			model,
			vector,
		}));
	}

	async close(): Promise<void> {
		this.#client.close();
	}

	/** A date may have another offset, or none, as some clients write it: then it is taken as UTC. */
	#utc(timestamp: string): string {
		const [, local, offset = 'Z'] = /^(\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(Z|[+-]\d\d:\d\d)?$/.exec(timestamp) ?? [];
		const time = new Date(`${local}${offset}`);
		if (Number.isNaN(time.getTime())) {
			throw new StoreError(`${this.place} has a newest StateVector with the timestamp “${timestamp.slice(0, 50)}”, which is no ISO 8601 time. Correct it there.`);
		}

		return time.toISOString();
	}
}
