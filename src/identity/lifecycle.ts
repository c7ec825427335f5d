/**
 * The boot and the end of an identity. Its owner, its boot's signal, a parent of its actor
 * or another node may end it: what waits for it hears of it, and the parts that it held are freed.
 */
import type {StepReport} from '../actors/boot.ts';
import {freeParts} from '../actors/loaded-once.ts';
import {movedError} from '../actors/process-context.ts';
import {reasonOf, UnavailableError} from '../platform/errors.ts';
import type {IdentityParts} from './local-identity.ts';

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

	/** Follows an actor that was started through its boot, which the signal aborts. */
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
			watch.restart();
			void digester.check();
			events.emit(Object.freeze({type: 'ready', report}));
		} catch {
			// The events `failed` and `stopped` say it.
		} finally {
			signal?.removeEventListener('abort', abort);
		}
	}

	/** The actor's end, which it brings about, disposes too: that must find the disposal under way. */
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

	/** Says to what waits why there is no answer. */
	#end(error: Error, reasonFor: (id: string, isCycle: boolean) => Error): void {
		const {watch, digester, past, requests} = this.#parts;
		digester.close();
		watch.close();
		past.close(error);
		requests.failAll(reasonFor);
	}

	#complete(): void {
		if (this.#parts.actor.getSnapshot().matches('moved')) {
			this.#end(movedError(), movedError);
		} else {
			void this.#orWarn(this.dispose());
		}
	}

	#fail(error: unknown): void {
		const {actor, events, requests, machine} = this.#parts;
		events.emit(Object.freeze({type: 'failed', error}));
		events.close();
		if (!actor.getSnapshot().context.boot) {
			// Its machine frees the parts, and `ready` says how the boot has failed.
			void this.#orWarn(freeParts(machine));
			return;
		}

		requests.failAll(() => error);
		// Any other error is a defect, and must be seen. A parent sees it itself.
		const {_parent: parent} = actor;
		if (!parent) {
			throw error;
		}
	}

	#warnOf({warnings}: StepReport): void {
		for (const warning of warnings) {
			this.#parts.warn(warning);
		}
	}

	/** For what no caller waits for. */
	async #orWarn(freed: Promise<void>): Promise<void> {
		try {
			await freed;
		} catch (error) {
			this.#parts.warn(`A part of the identity could not be freed: ${reasonOf(error)}`, error);
		}
	}
}
