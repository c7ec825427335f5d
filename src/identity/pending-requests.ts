/** The requests under way: the process emits answers by id, and each settles one promise. */
import type {Actor} from 'xstate';
import type {createProcessMachine} from '../actors/process.ts';
import {ConfigurationError} from '../platform/errors.ts';
import {factsOf} from '../journal/journal.ts';

/** The root of an identity's actor system. */
export type ProcessActor = Actor<ReturnType<typeof createProcessMachine>>;

type Pending = {resolve: (value: never) => void; reject: (reason: unknown) => void; signal: AbortSignal | undefined; isCycle: boolean};

export class PendingRequests {
	readonly #pending = new Map<string, Pending>();

	constructor(actor: ProcessActor) {
		actor.on('cycle.done', ({id, result}) => this.#resolve(id, Object.freeze({id, ...result})));
		actor.on('cycle.failed', ({id, error}) => this.fail(id, error));
		actor.on('cycle.cancelled', ({id}) => this.fail(id, this.#pending.get(id)?.signal?.reason));
		actor.on('reset.done', ({id, stateId}) => this.#resolve(id, {stateId}));
		actor.on('reset.failed', ({id, error}) => this.fail(id, error));
		actor.on('identity.validated', validation => this.#resolve(validation.id, factsOf(validation)));
		actor.on('validation.failed', ({id, error}) => this.fail(id, error));
		actor.on('translation.done', ({id, translation}) => this.#resolve(id, translation));
		actor.on('translation.failed', ({id, error}) => this.fail(id, error));
	}

	/**
	 * Sends a request, and resolves with its answer. When the signal aborts, `cancel` decides what becomes of it.
	 *
	 * @throws {ConfigurationError} when the id is under way
	 */
	async answerTo<Answer>(
		id: string, send: () => void,
		{signal, cancel, isCycle = false}: {signal?: AbortSignal | undefined; cancel?: () => void; isCycle?: boolean} = {},
	): Promise<Answer> {
		if (this.#pending.has(id)) {
			throw new ConfigurationError(`newId gave “${id}”, which is in use; every id must be new.`);
		}

		const {promise, resolve, reject} = Promise.withResolvers<Answer>();
		this.#pending.set(id, {resolve: resolve as Pending['resolve'], reject, signal, isCycle});
		try {
			send();
		} catch (error) {
			this.fail(id, error);
		}

		if (!signal || !cancel) {
			return promise;
		}

		signal.addEventListener('abort', cancel);
		try {
			return await promise;
		} finally {
			signal.removeEventListener('abort', cancel);
		}
	}

	fail(id: string, reason: unknown): void {
		this.#take(id)?.reject(reason);
	}

	failAll(reasonFor: (id: string, isCycle: boolean) => unknown): void {
		for (const [id, {isCycle}] of this.#pending) {
			this.fail(id, reasonFor(id, isCycle));
		}
	}

	#resolve(id: string, value: unknown): void {
		this.#take(id)?.resolve(value as never);
	}

	#take(id: string): Pending | undefined {
		const pending = this.#pending.get(id);
		this.#pending.delete(id);
		return pending;
	}
}
