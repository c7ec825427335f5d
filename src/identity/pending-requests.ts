/**
 * The requests under way: the process emits answers by id, and each settles one promise.
 *
 * If the journal broke while a record was on its way, the request may still have been carried out. The process reopens the
 * journal and emits the answers of the records it finds, so such a request is not reported as failed.
 */
import type {Actor} from 'xstate';
import type {createProcessMachine} from '../actors/process.ts';
import type {ProcessEvent} from '../actors/process-events.ts';
import type {Timers} from '../platform/clock.ts';
import {ConfigurationError, JournalError, UnavailableError, UnknownOutcomeError, reasonOf} from '../platform/errors.ts';
import {settledEvents} from '../journal/revision.ts';
import {factsOf} from '../journal/validation.ts';

/** The root of an identity's actor system. */
export type ProcessActor = Actor<ReturnType<typeof createProcessMachine>>;

/** How long a caller waits for a broken journal, in milliseconds; then clients and proxies give up too. */
const maxDoubtMs = 10_000;

type Pending = {
	resolve: (value: never) => void; reject: (reason: unknown) => void; signal: AbortSignal | undefined; isCycle: boolean;
	/** Set while it is unknown whether the request was carried out: the reason. */
	doubt?: UnknownOutcomeError;
	/** The handle of its timeout; undefined while it is not in doubt. */
	timer?: unknown;
};

type Asked = Extract<ProcessEvent, {type: 'cycle' | 'reset' | 'validate' | 'revise' | 'settle' | 'translate'}>;

export class PendingRequests {
	readonly #actor: ProcessActor;
	readonly #pending = new Map<string, Pending>();
	readonly #timers: Timers;

	constructor(actor: ProcessActor, timers: Timers) {
		this.#actor = actor;
		this.#timers = timers;
		for (const done of ['cycle.done', 'cycle.held'] as const) {
			actor.on(done, ({id, result}) => this.#resolve(id, Object.freeze({id, ...result})));
		}

		actor.on('cycle.cancelled', ({id}) => this.fail(id, this.#pending.get(id)?.signal?.reason));
		actor.on('reset.done', ({id, stateId}) => this.#resolve(id, {stateId}));
		actor.on('identity.validated', validation => this.#resolve(validation.id, factsOf(validation)));
		for (const decided of ['identity.revised', ...Object.values(settledEvents)] as const) {
			actor.on(decided, ({id, answer}) => answer ? this.#resolve(id, answer) : this.fail(id, doneError()));
		}

		actor.on('translation.done', ({id, translation}) => this.#resolve(id, translation));
		const failures = [
			'cycle.failed', 'reset.failed', 'validation.failed', 'revision.failed', 'settlement.failed', 'translation.failed',
		] as const;
		for (const failed of failures) {
			actor.on(failed, ({id, error}) => error instanceof UnknownOutcomeError ? this.#doubt(id, error) : this.fail(id, error));
		}

		actor.on('journal.recovered', () => this.#failDoubted());
	}

	/**
	 * Sends a request and resolves with its answer. Aborting the signal cancels a cycle that waits for its turn, and a
	 * translation at any time.
	 *
	 * @throws {ConfigurationError} when the id is in use
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
		for (const [id, {isCycle, doubt}] of this.#pending) {
			this.fail(id, doubt ?? reasonFor(id, isCycle));
		}
	}

	#doubt(id: string, error: UnknownOutcomeError): void {
		const pending = this.#pending.get(id);
		if (!pending) {
			return;
		}

		const {isCycle} = pending;
		const doubt = new UnknownOutcomeError(`It is not known yet whether this was done. ${isCycle
			? `Repeat it with “${id}” as its Idempotency-Key, in a program as its id: it will not run twice.`
			: 'The state and “revisions” show it when the journal is open again: check them before you repeat it.'} ${error.message}`, {
			cause: error, retryable: isCycle, ...(isCycle && {id}),
		});
		pending.doubt = doubt;
		pending.timer = this.#timers.setTimeout(() => this.fail(id, doubt), maxDoubtMs);
	}

	/** Fails the rest: requests that the journal has were answered before its recovery was announced. */
	#failDoubted(): void {
		for (const [id, {doubt}] of this.#pending) {
			if (doubt) {
				const reason = `The journal failed before it had this. It is open again: try again. ${reasonOf(doubt.cause)}`;
				this.fail(id, new JournalError(reason, {cause: doubt, retryable: true}));
			}
		}
	}

	#resolve(id: string, value: unknown): void {
		this.#take(id)?.resolve(value as never);
	}

	#take(id: string): Pending | undefined {
		const pending = this.#pending.get(id);
		this.#pending.delete(id);
		if (pending?.timer !== undefined) {
			this.#timers.clearTimeout(pending.timer);
		}

		return pending;
	}
}

/** The journal keeps only a summary of a decision, so its full answer cannot be given again. */
const doneError = (): UnavailableError => new UnavailableError('This was done, but its answer was lost. “revisions” shows what it did.');
