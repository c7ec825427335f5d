/** The events of an identity: what its process emits, and its lifecycle. No listener can harm the identity, its host or another listener. */
import type {StepReport} from '../actors/boot.ts';
import type {ProcessEmitted} from '../actors/process-events.ts';
import {reasonOf} from '../errors.ts';
import type {Warn} from '../warn.ts';

/** The lifecycle of the identity. */
export type LifecycleEvent = Readonly<
	/** The boot is done. */
	| {type: 'ready'; report: readonly StepReport[]}
	/** The boot failed, or the identity broke; from afar also: its events cannot be followed. */
	| {type: 'failed'; error: unknown}
	/** The identity is disposed of. */
	| {type: 'stopped'}
>;

/** Told to a consumer that fell behind, or was cut off: how many events it missed before the next one; null where that is unknown. */
export type EventsDropped = {readonly type: 'stream.dropped'; readonly missed: number | null};

/** An event of an identity. Every listener hears the same object, which is read only. */
export type IdentityEvent = ProcessEmitted | LifecycleEvent | EventsDropped;

/** A type of event. */
export type EventType = IdentityEvent['type'];

/** The event of a type; with `*` any event. */
export type EventOf<Type extends EventType | '*'> = Type extends '*' ? IdentityEvent : Extract<IdentityEvent, {type: Type}>;

/** Hears of events. */
export type Listener<Type extends EventType | '*'> = (event: EventOf<Type>) => unknown;

/** Events in their order, as `for await` reads them. */
export type EventStream = AsyncGenerator<IdentityEvent, void, void>;

/** Events that wait for a consumer. */
const maxBuffered = 1000;

export class IdentityEvents {
	readonly #listeners = new Map<string, Set<Listener<'*'>>>();
	readonly #warn: Warn;

	constructor(warn: Warn) {
		this.#warn = warn;
	}

	get hasListeners(): boolean {
		return [...this.#listeners.values()].some(({size}) => size > 0);
	}

	on<Type extends EventType | '*'>(type: Type, listener: Listener<Type>): () => void {
		const listeners = this.#listeners.get(type) ?? new Set();
		this.#listeners.set(type, listeners);
		// One function may listen twice, and each ends by itself.
		const added: Listener<'*'> = event => listener(event as EventOf<Type>);
		listeners.add(added);
		return () => {
			listeners.delete(added);
		};
	}

	emit(event: IdentityEvent): void {
		for (const type of [event.type, '*']) {
			for (const listener of this.#listeners.get(type) ?? []) {
				this.#tell(listener, event);
			}
		}
	}

	stream(signal?: AbortSignal): EventStream {
		const waiting: IdentityEvent[] = [];
		let missed = 0;
		let isOver = false;
		let wake: (() => void) | undefined;
		const off = this.on('*', event => {
			if (waiting.length === maxBuffered) {
				waiting.shift();
				missed++;
			}

			waiting.push(event);
			isOver ||= event.type === 'stopped' || event.type === 'failed';
			wake?.();
		});
		const end = (): void => {
			off();
			wake?.();
		};

		signal?.addEventListener('abort', end, {once: true});
		const read = async function * (): EventStream {
			try {
				for (;;) {
					signal?.throwIfAborted();
					const event = waiting[0];
					if (missed > 0) {
						const dropped = missed;
						missed = 0;
						yield {type: 'stream.dropped', missed: dropped};
					} else if (event) {
						waiting.shift();
						yield event;
					} else if (isOver) {
						return;
					} else {
						await new Promise<void>(resolve => {
							wake = resolve;
						});
					}
				}
			} finally {
				off();
				signal?.removeEventListener('abort', end);
			}
		};

		return read();
	}

	/** Without a promise where the listener has none: events are many. */
	#tell(listener: Listener<'*'>, event: IdentityEvent): void {
		const failed = (error: unknown): void => {
			this.#warn(`A listener of the event ${event.type} failed: ${reasonOf(error)}`, error);
		};

		try {
			const result = listener(event);
			if (result instanceof Promise) {
				result.catch(failed);
			}
		} catch (error) {
			failed(error);
		}
	}
}
