/** The requests under way: the process emits answers by id, and each settles one promise. */
import type {Actor} from 'xstate';
import type {createProcessMachine} from '../actors/process.ts';
import {ConfigurationError} from '../errors.ts';

/** The root of an identity's actor system. */
export type ProcessActor = Actor<ReturnType<typeof createProcessMachine>>;

type Pending = {resolve: (value: never) => void; reject: (reason: unknown) => void};

export class PendingRequests {
	readonly #pending = new Map<string, Pending>();
	readonly #whenNone: Array<() => void> = [];

	constructor(actor: ProcessActor) {
		actor.on('cycle.done', ({id, result}) => this.#resolve(id, result));
		actor.on('cycle.failed', ({id, error}) => this.fail(id, error));
		actor.on('reset.done', ({id, stateId}) => this.#resolve(id, {stateId}));
		actor.on('reset.failed', ({id, error}) => this.fail(id, error));
		actor.on('translation.done', ({id, translation}) => this.#resolve(id, translation));
		actor.on('translation.failed', ({id, error}) => this.fail(id, error));
	}

	/** Sends a request, and resolves with its answer. @throws {ConfigurationError} when the id is under way. */
	async answerTo<Answer>(id: string, send: () => void): Promise<Answer> {
		if (this.#pending.has(id)) {
			throw new ConfigurationError(`newId gave “${id}”, which names something under way; every id must be new.`);
		}

		const {promise, resolve, reject} = Promise.withResolvers<Answer>();
		this.#pending.set(id, {resolve: resolve as Pending['resolve'], reject});
		try {
			send();
		} catch (error) {
			this.fail(id, error);
		}

		return promise;
	}

	fail(id: string, reason: unknown): void {
		this.#take(id)?.reject(reason);
	}

	failAll(reasonFor: (id: string) => unknown): void {
		for (const id of this.#pending.keys()) {
			this.fail(id, reasonFor(id));
		}
	}

	/** Resolves when no request is under way any more. */
	async allSettled(): Promise<void> {
		if (this.#pending.size > 0) {
			await new Promise<void>(resolve => {
				this.#whenNone.push(resolve);
			});
		}
	}

	#resolve(id: string, value: unknown): void {
		this.#take(id)?.resolve(value as never);
	}

	#take(id: string): Pending | undefined {
		const pending = this.#pending.get(id);
		this.#pending.delete(id);
		if (this.#pending.size === 0) {
			for (const resolve of this.#whenNone.splice(0)) {
				resolve();
			}
		}

		return pending;
	}
}
