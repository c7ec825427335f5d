/** Admission control: limits the work under way, and refuses calls once the identity is closing. */
import {UnavailableError} from '../platform/errors.ts';
import {withSignal} from '../platform/waiting.ts';
import type {CheckedRequest} from './cycle-request.ts';
import type {DrainOptions} from './identity.ts';
import type {IdentityOfOptions} from './options.ts';
import {limitCalls, limitPendingBytes, type Take} from './pending-limits.ts';
import type {ProcessActor} from './pending-requests.ts';
import {selectRecording} from './selectors.ts';
import {waitFor} from './lifecycle.ts';

/** Dry runs also count as cycles; the cap leaves the other places to cycles. */
const maxPendingDryRuns = 16;

/** Limits on the work under way. */
export type AdmissionLimits = Required<Pick<IdentityOfOptions, 'maxPendingCycles' | 'maxPendingBytes' | 'maxPendingTranslations'>>;

export class Admission {
	readonly takeDryRun = limitCalls(maxPendingDryRuns, 'dry runs', 1);
	readonly takeTranslation: Take;
	readonly #takeCycle: Take;
	readonly #hold: ReturnType<typeof limitPendingBytes>;
	readonly #actor: ProcessActor;
	readonly #boot: Promise<unknown>;
	/** Accepted calls, including those that wait for the boot. */
	readonly #underWay = new Set<Promise<unknown>>();
	/** Whether no further calls are accepted. */
	isClosed = false;

	/** @param boot Settles when the actor's boot has ended. */
	constructor(actor: ProcessActor, boot: Promise<unknown>, {maxPendingCycles, maxPendingBytes, maxPendingTranslations}: AdmissionLimits) {
		this.#actor = actor;
		this.#boot = boot;
		this.takeTranslation = limitCalls(maxPendingTranslations, 'translations', 5);
		this.#takeCycle = limitCalls(maxPendingCycles, 'cycles', 1);
		this.#hold = limitPendingBytes(maxPendingBytes, 'Texts');
	}

	/** Whether no call is under way. */
	get isEmpty(): boolean {
		return this.#underWay.size === 0;
	}

	/** @throws {UnavailableError} once no further calls are accepted */
	requireOpen(): void {
		if (this.isClosed) {
			throw new UnavailableError('The identity is stopping or closed.');
		}
	}

	/** Performs a call after the boot; at once if that is over, so that calls keep their order. */
	async accept<Answer>(call: () => Promise<Answer>, signal?: AbortSignal): Promise<Answer> {
		const answer = this.#perform(call, signal);
		this.#underWay.add(answer);
		try {
			return await answer;
		} finally {
			this.#underWay.delete(answer);
		}
	}

	/** Like {@link accept}. @throws {UnavailableError} once no further calls are accepted */
	async enter<Answer>(call: () => Promise<Answer>, signal?: AbortSignal): Promise<Answer> {
		this.requireOpen();
		return this.accept(call, signal);
	}

	/** Accepts a text. @throws {BusyError} when too many calls or bytes are under way */
	async admit<Answer>(
		check: () => CheckedRequest, perform: (order: CheckedRequest) => Promise<Answer>, signal?: AbortSignal,
	): Promise<Answer> {
		this.requireOpen();
		const order = check();
		return this.#takeCycle(async () => {
			const held = this.#hold();
			held.add(order.content.length + JSON.stringify(order.metadata).length);
			try {
				return await this.accept(async () => perform(order), signal);
			} finally {
				held.release();
			}
		});
	}

	/** Accepts no further calls. Resolves when all accepted ones are done and durable. */
	async drain({keepsLoop = false}: DrainOptions = {}): Promise<void> {
		this.isClosed = true;
		const stopLoop = () => {
			if (!keepsLoop) {
				this.#actor.send({type: 'daemon.stop'});
			}
		};

		while (!this.isEmpty) {
			stopLoop();
			await Promise.allSettled(this.#underWay);
		}

		if (this.#actor.getSnapshot().status === 'active') {
			stopLoop();
			// No caller waits for the daemon's cycle, which may still be on its way to the journal.
			await waitFor(this.#actor, state => selectRecording(state).length === 0);
		}
	}

	async #perform<Answer>(call: () => Promise<Answer>, signal: AbortSignal | undefined): Promise<Answer> {
		signal?.throwIfAborted();
		if (this.#actor.getSnapshot().matches('booting')) {
			// The call itself reports a failed boot.
			await withSignal(this.#boot.catch(() => {}), signal);
		}

		return call();
	}
}
