/**
 * The events of an identity: what its process emits, and its lifecycle. No listener can harm the identity, its host
 * or another listener.
 */
import type {StepReport} from '../actors/boot.ts';
import type {ProcessEmitted} from '../actors/process-events.ts';
import {ConfigurationError, reasonOf, type Warn} from '../platform/errors.ts';
import {requireKnownNames} from '../platform/unknown-names.ts';

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

/** Those that a listener can wait for, in a table that the compiler keeps whole. */
const listenedTypes: Readonly<Record<EventType | '*', true>> = {
	'*': true, 'ready': true, 'failed': true, 'stopped': true, 'moved': true, 'boot.step': true,
	'cycle.done': true, 'cycle.held': true, 'cycle.failed': true, 'cycle.cancelled': true,
	'reset.done': true, 'reset.failed': true, 'identity.validated': true, 'validation.failed': true,
	'identity.revised': true, 'revision.failed': true, 'held.released': true, 'held.dropped': true, 'settlement.failed': true,
	'journal.failed': true, 'journal.recovered': true, 'stream.dropped': true, 'replay.progress': true,
	'drift.alarm': true, 'echo.noticed': true, 'source.noticed': true, 'source.changed': true, 'source.taken_up': true,
	'translation.done': true, 'translation.failed': true,
};

/** The event of a type; with `*` any event. */
export type EventOf<Type extends EventType | '*'> = Type extends '*' ? IdentityEvent : Extract<IdentityEvent, {type: Type}>;

/** Called with each event. */
export type Listener<Type extends EventType | '*'> = (event: EventOf<Type>) => unknown;

/** Events in their order, as `for await` reads them. */
export type EventStream = AsyncGenerator<IdentityEvent, void, void>;

/** Events that wait for a consumer. */
const maxBuffered = 1000;

/** Ends streams that were dropped unread: no reader can reach them any more. */
const abandoned = new FinalizationRegistry<() => void>(end => end());

export class IdentityEvents {
	readonly #listeners = new Map<string, Set<Listener<'*'>>>();
	readonly #warn: Warn;
	#unread = 0;
	#isClosed = false;

	constructor(warn: Warn) {
		this.#warn = warn;
	}

	/** Whether anything listens; a stream does once it is first read. */
	get hasListeners(): boolean {
		return [...this.#listeners.values()].reduce((sum, {size}) => sum + size, 0) > this.#unread;
	}

	on<Type extends EventType | '*'>(type: Type, listener: Listener<Type>): () => void {
		requireKnownNames('An identity', {[String(type)]: listener}, listenedTypes, {kind: 'event'});
		if (typeof listener !== 'function') {
			throw new ConfigurationError(`The listener of the event ${type} must be a function.`);
		}

		const listeners = this.#listeners.get(type) ?? new Set();
		this.#listeners.set(type, listeners);
		// One function may listen twice, and each ends by itself.
		const added: Listener<'*'> = event => listener(event as EventOf<Type>);
		listeners.add(added);
		return () => listeners.delete(added);
	}

	emit(event: IdentityEvent): void {
		for (const type of [event.type, '*']) {
			for (const listener of this.#listeners.get(type) ?? []) {
				this.#tell(listener, event);
			}
		}
	}

	/** No event follows, but for listeners: streams that are opened from now on end at once, so that their readers do not wait for ever. */
	close(): void {
		this.#isClosed = true;
	}

	/**
	 * The events from now on. Until it is read, a stream keeps them, and keeps no identity in memory.
	 *
	 * @param onEnd Called once: when it was read to its end, was left or aborted, or was never read and is garbage.
	 */
	stream(signal?: AbortSignal, onEnd?: () => void): EventStream {
		const waiting: IdentityEvent[] = [];
		let missed = 0;
		let isOver = this.#isClosed;
		let isOpen = true;
		let isUnread = true;
		let wake: (() => void) | undefined;
		this.#unread++;
		const off = this.on('*', event => {
			if (waiting.length === maxBuffered) {
				waiting.shift();
				missed++;
			}

			waiting.push(event);
			isOver ||= event.type === 'stopped' || event.type === 'failed';
			wake?.();
		});
		const begin = (): void => {
			if (isUnread) {
				isUnread = false;
				this.#unread--;
			}
		};

		const end = (): void => {
			if (isOpen) {
				isOpen = false;
				begin();
				off();
				signal?.removeEventListener('abort', end);
				wake?.();
				onEnd?.();
			}
		};

		signal?.addEventListener('abort', end, {once: true});
		if (signal?.aborted || isOver) {
			end();
		}

		const read = async function * (): EventStream {
			try {
				// To here it runs at once: who leaves a stream without reading it, leaves it at `finally`.
				yield undefined as never;
				abandoned.unregister(end);
				begin();
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
				end();
			}
		};

		// Nothing that the listener or the signal keeps knows this object: it is garbage when its reader has gone.
		const events = read();
		void events.next();
		abandoned.register(events, end, end);
		return events;
	}

	/** Without a promise where the listener has none: events are many. */
	#tell(listener: Listener<'*'>, event: IdentityEvent): void {
		const failed = (error: unknown): void => this.#warn(`A listener of the event ${event.type} failed: ${reasonOf(error)}`, error);

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
