/**
 * The boot and the end of an identity. Its owner, its boot's signal, a parent of its actor
 * or another node may end it: what waits for it is told, and what it held is freed.
 */
import type {StepReport} from '../actors/boot.ts';
import type {MachineDeps} from '../actors/deps.ts';
import {freeParts} from '../actors/loaded-once.ts';
import {movedError} from '../actors/process-context.ts';
import type {Past} from '../instruments/past/past.ts';
import {reasonOf, UnavailableError, type Warn} from '../platform/errors.ts';
import type {Admission} from './admission.ts';
import type {IdentityEvents} from './events.ts';
import type {PendingRequests, ProcessActor} from './pending-requests.ts';
import type {Watch} from './watch.ts';

/** What begins and ends with an identity. */
export type LifecycleDeps = {
	actor: ProcessActor;
	parts: MachineDeps;
	admission: Admission;
	requests: PendingRequests;
	events: IdentityEvents;
	past: Past;
	watch: Watch;
	warn: Warn;
};

export class Lifecycle {
	readonly #deps: LifecycleDeps;
	#disposal: Promise<void> | undefined;

	constructor(deps: LifecycleDeps) {
		this.#deps = deps;
		const {actor} = deps;
		for (const report of actor.getSnapshot().context.report) {
			this.#warnOf(report);
		}

		actor.on('boot.step', ({report}) => {
			this.#warnOf(report);
		});
		actor.subscribe({
			error: error => {
				this.#fail(error);
			},
			complete: () => {
				this.#complete();
			},
		});
	}

	/** Follows an actor that was started through its boot, which the signal aborts. */
	async follow(boot: Promise<readonly StepReport[]>, signal: AbortSignal | undefined): Promise<void> {
		const {actor, events, watch} = this.#deps;
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
		const {actor, admission, events, parts} = this.#deps;
		admission.close();
		const waiting = new Set(actor.getSnapshot().context.turns?.line.map(({id}) => id));
		actor.send({type: 'stop'});
		const reason = 'The process is stopping.';
		this.#end(new UnavailableError(reason), (id, isCycle) =>
			new UnavailableError(isCycle && !waiting.has(id) ? `${reason} The journal says whether this cycle was kept.` : reason));
		try {
			await freeParts(parts);
		} finally {
			events.emit(Object.freeze({type: 'stopped'}));
		}
	}

	/** Says to what waits why there is no answer. */
	#end(error: Error, reasonFor: (id: string, isCycle: boolean) => Error): void {
		const {watch, past, requests} = this.#deps;
		watch.close();
		past.close(error);
		requests.failAll(reasonFor);
	}

	#complete(): void {
		if (this.#deps.actor.getSnapshot().matches('moved')) {
			this.#end(movedError(), movedError);
		} else {
			void this.#orWarn(this.dispose());
		}
	}

	#fail(error: unknown): void {
		const {actor, events, requests, parts} = this.#deps;
		events.emit(Object.freeze({type: 'failed', error}));
		if (!actor.getSnapshot().context.boot) {
			// Its machine frees the parts, and `ready` says how the boot has failed.
			void this.#orWarn(freeParts(parts));
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
			this.#deps.warn(warning);
		}
	}

	/** For what no caller waits for. */
	async #orWarn(freed: Promise<void>): Promise<void> {
		try {
			await freed;
		} catch (error) {
			this.#deps.warn(`A part of the identity could not be freed: ${reasonOf(error)}`, error);
		}
	}
}
