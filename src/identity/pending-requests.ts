/** The requests under way: the process emits answers by id, and each settles one promise. */
import type {Actor} from 'xstate';
import type {createProcessMachine} from '../actors/process.ts';
import type {ProcessEvent} from '../actors/process-events.ts';
import {ConfigurationError} from '../platform/errors.ts';
import {factsOf} from '../journal/validation.ts';

/** The root of an identity's actor system. */
export type ProcessActor = Actor<ReturnType<typeof createProcessMachine>>;

type Pending = {resolve: (value: never) => void; reject: (reason: unknown) => void; signal: AbortSignal | undefined; isCycle: boolean};

type Asked = Extract<ProcessEvent, {type: 'cycle' | 'reset' | 'validate' | 'revise' | 'translate'}>;

export class PendingRequests {
	readonly #actor: ProcessActor;
	readonly #pending = new Map<string, Pending>();

	constructor(actor: ProcessActor) {
		this.#actor = actor;
		actor.on('cycle.done', ({id, result}) => this.#resolve(id, Object.freeze({id, ...result})));
		actor.on('cycle.cancelled', ({id}) => this.fail(id, this.#pending.get(id)?.signal?.reason));
		actor.on('reset.done', ({id, stateId}) => this.#resolve(id, {stateId}));
		actor.on('identity.validated', validation => this.#resolve(validation.id, factsOf(validation)));
		actor.on('identity.revised', ({id, answer}) => this.#resolve(id, answer));
		actor.on('translation.done', ({id, translation}) => this.#resolve(id, translation));
		for (const failed of ['cycle.failed', 'reset.failed', 'validation.failed', 'revision.failed', 'translation.failed'] as const) {
			actor.on(failed, ({id, error}) => this.fail(id, error));
		}
	}

	/**
	 * Sends a request, and resolves with its answer. A signal that aborts cancels a cycle that has not had its turn, and
	 * a translation at once.
	 *
	 * @throws {ConfigurationError} when the id is under way
	 */
	async ask<Answer>(request: Asked, signal?: AbortSignal): Promise<Answer> {
		const {type, id} = request;
		if (this.#pending.has(id)) {
			throw new ConfigurationError(`newId gave “${id}”, which is in use; every id must be new.`);
		}

		const {promise, resolve, reject} = Promise.withResolvers<Answer>();
		this.#pending.set(id, {resolve: resolve as Pending['resolve'], reject, signal, isCycle: type === 'cycle'});
		const cancel = () => {
			if (type === 'cycle') {
				this.#actor.send({type: 'cycle.cancel', id});
			} else if (type === 'translate') {
				this.#actor.send({type: 'translate.cancel', id});
				this.fail(id, signal!.reason);
			}
		};

		signal?.addEventListener('abort', cancel);
		try {
			this.#actor.send(request);
			return await promise;
		} finally {
			signal?.removeEventListener('abort', cancel);
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
