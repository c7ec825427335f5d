/**
 * The boot and the end of an identity. Its owner, the boot's signal, a parent of its actor or another node may end it.
 * Then pending calls fail, and its parts are freed.
 */
import {waitFor as waitForSnapshot} from 'xstate';
import type {StepReport} from '../actors/boot.ts';
import {freeParts} from '../actors/loaded-once.ts';
import type {ProcessSnapshot} from '../actors/process.ts';
import {movedError} from '../actors/process-context.ts';
import {reasonOf, UnavailableError} from '../platform/errors.ts';
import type {IdentityParts} from './local-identity.ts';
import type {ProcessActor} from './pending-requests.ts';

export class Lifecycle {
	readonly #parts: IdentityParts;
	#disposal: Promise<void> | undefined;

	constructor(parts: IdentityParts) {
		this.#parts = parts;
		const {actor} = parts;
		for (const report of actor.getSnapshot().context.report) {
			this.#warnOf(report);
		}

		actor.on('boot.step', ({report}) => this.#warnOf(report));
		actor.subscribe({
			error: error => this.#fail(error),
			complete: () => this.#complete(),
		});
	}

	/** Follows a started actor through its boot, which the signal aborts. */
	async follow(signal: AbortSignal | undefined): Promise<void> {
		const {actor, boot, digester, events, watch} = this.#parts;
		const abort = () => {
			void this.#orWarn(this.dispose());
		};

		signal?.addEventListener('abort', abort);
		if (signal?.aborted || actor.getSnapshot().status === 'stopped') {
			abort();
		}

		try {
			const report = await boot;
			// A subscriber of the actor hears of its end first, and may have disposed of it.
			if (actor.getSnapshot().status === 'active') {
				watch.restart();
				void digester.check();
				events.emit(Object.freeze({type: 'ready', report}));
			}
		} catch {
			// The events `failed` and `stopped` report it.
		} finally {
			signal?.removeEventListener('abort', abort);
		}
	}

	/** Stopping the actor calls `dispose` again, which must find the disposal under way. */
	async dispose(): Promise<void> {
		if (!this.#disposal) {
			const {promise, resolve} = Promise.withResolvers<void>();
			this.#disposal = promise;
			resolve(this.#stop());
		}

		return this.#disposal;
	}

	async #stop(): Promise<void> {
		const {actor, admission, events, machine} = this.#parts;
		admission.isClosed = true;
		const waiting = new Set(actor.getSnapshot().context.turns?.line.map(({id}) => id));
		actor.send({type: 'stop'});
		const reason = 'The identity is stopping or closed.';
		this.#end(new UnavailableError(reason), (id, isCycle) =>
			new UnavailableError(isCycle && !waiting.has(id) ? `${reason} The journal says whether this cycle was kept.` : reason));
		try {
			await freeParts(machine);
		} finally {
			events.emit(Object.freeze({type: 'stopped'}));
			events.close();
		}
	}

	/** Ends the background work, and fails pending questions and requests with the reason. */
	#end(error: unknown, reasonFor: (id: string, isCycle: boolean) => unknown): void {
		const {watch, digester, past, requests} = this.#parts;
		digester.close();
		watch.close();
		past.close(error);
		requests.failAll(reasonFor);
	}

	#complete(): void {
		const {actor, events} = this.#parts;
		if (actor.getSnapshot().matches('moved')) {
			this.#end(movedError(), movedError);
			events.close();
		} else {
			void this.#orWarn(this.dispose());
		}
	}

	#fail(error: unknown): void {
		const {actor, events, machine} = this.#parts;
		events.emit(Object.freeze({type: 'failed', error}));
		events.close();
		this.#end(error, () => error);
		void this.#orWarn(freeParts(machine));
		// If the boot failed, `ready` rejects with the error. Any other is a defect and must surface; with a parent, XState passes it on.
		const {_parent: parent} = actor;
		if (actor.getSnapshot().context.boot && !parent) {
			throw error;
		}
	}

	#warnOf({warnings}: StepReport): void {
		for (const warning of warnings) {
			this.#parts.warn(warning);
		}
	}

	/** Reports the failure of work that no caller awaits. */
	async #orWarn(freed: Promise<void>): Promise<void> {
		try {
			await freed;
		} catch (error) {
			this.#parts.warn(`A part of the identity could not be freed: ${reasonOf(error)}`, error);
		}
	}
}

/** Waits for a matching snapshot; resolves with the last one if the actor ends first. @throws the error of an actor that fails */
export const waitFor = async (actor: ProcessActor, isThere: (snapshot: ProcessSnapshot) => boolean): Promise<ProcessSnapshot> => {
	try {
		return await waitForSnapshot(actor, isThere);
	} catch (error) {
		const snapshot = actor.getSnapshot();
		if (snapshot.status === 'error') {
			throw error;
		}

		return snapshot;
	}
};

/** Resolves with the boot's report. @throws the error that failed the boot, or the signal's reason */
export const waitForBoot = async (actor: ProcessActor, signal?: AbortSignal): Promise<readonly StepReport[]> => {
	const settled = await waitFor(actor, state => !state.matches('booting'));
	if (settled.matches('stopped') || settled.status === 'stopped') {
		signal?.throwIfAborted();
		throw new UnavailableError('The process was stopped.');
	}

	return settled.context.report;
};
