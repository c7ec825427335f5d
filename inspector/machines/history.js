// @ts-check
/**
 * What the inspection has reported: the actors, the last 1000 events between them, and, for each
 * of these events, the status of every actor after it.
 *
 * The inspection reports an event when it is sent, and a snapshot when the event is handled. The
 * two are matched by actor and type, since an actor handles its mailbox in order.
 */

/**
 * @typedef {object} Actor
 * @property {string} id Its session id.
 * @property {string} name
 * @property {string} machine Id of its machine; for a promise, the name of the state that invokes it.
 * @property {number} since Number of the first event after it appeared.
 * @property {ActorStatus | null} base Its status before the oldest event that is kept.
 * @property {ActorStatus | null} now
 */

/** @typedef {{value: unknown, isActive: boolean}} ActorStatus */

/**
 * @typedef {object} Entry An event between two actors.
 * @property {number} number
 * @property {number} time Milliseconds since the epoch.
 * @property {string | null} from An actor's id; null for a sender outside of the actor system.
 * @property {string} to
 * @property {string} type
 * @property {any} event
 * @property {ActorStatus | null} result The receiver's status afterwards; null until it is known.
 */

/** @typedef {{from: string, to: string}} TakenTransition */
/** @typedef {{actor: Actor, before: ActorStatus, transitions: TakenTransition[]}} Step What an actor did at an event. */
/** @typedef {Map<string, {actor: Actor, status: ActorStatus}[]>} SystemSnapshot Machine → its actors. */

const maxEntries = 1000;

/** @param {any} snapshot @returns {ActorStatus} */
const statusOf = ({value, status}) => ({value, isActive: status === 'active'});

export class History {
	/** @type {Map<string, Actor>} */
	#actors = new Map();
	/** @type {Entry[]} */
	#entries = [];
	#next = 0;

	/** Oldest first. */
	get entries() {
		return /** @type {readonly Entry[]} */ (this.#entries);
	}

	/** How many events have arrived in all. */
	get count() {
		return this.#next;
	}

	/** @param {string | null} id */
	getActor(id) {
		return id === null ? undefined : this.#actors.get(id);
	}

	clear() {
		this.#actors.clear();
		this.#entries = [];
	}

	/**
	 * @param {any} frame In the wire format of Stately's inspector.
	 * @returns {Step | null} for the frame of a snapshot
	 */
	add(frame) {
		switch (frame.type) {
			case '@xstate.actor':
				this.#addActor(frame);
				return null;
			case '@xstate.event':
				this.#addEvent(frame);
				return null;
			case '@xstate.snapshot':
				return this.#addSnapshot(frame);
			default:
				return null;
		}
	}

	/**
	 * The status of all actors after an event.
	 *
	 * @param {number} [number] Of the event; the present status unless given.
	 * @returns {SystemSnapshot}
	 */
	getSnapshot(number) {
		/** @type {Map<string, ActorStatus>} */
		const statuses = new Map();
		for (const {id, base, now, since} of this.#actors.values()) {
			const status = number === undefined ? now : base;
			if (status && (number === undefined || since <= number)) {
				statuses.set(id, status);
			}
		}

		for (const entry of number === undefined ? [] : this.#entries) {
			if (entry.number <= /** @type {number} */ (number) && entry.result) {
				statuses.set(entry.to, entry.result);
			}
		}

		const actors = [...statuses].map(([id, status]) => ({actor: /** @type {Actor} */ (this.#actors.get(id)), status}));
		return Map.groupBy(actors, ({actor}) => actor.machine);
	}

	/** A copy that later frames do not change. */
	freeze() {
		const copy = new History();
		copy.#actors = new Map([...this.#actors].map(([id, actor]) => [id, {...actor}]));
		copy.#entries = this.#entries.map(entry => ({...entry}));
		copy.#next = this.#next;
		return copy;
	}

	/** @param {any} frame */
	#addActor({sessionId: id, parentId, name, definition, snapshot}) {
		const status = snapshot?.value === undefined ? null : statusOf(snapshot);
		const known = this.#actors.get(id);
		if (known && parentId === undefined) {
			// A known root starts a new list of all present actors: those that do not follow have ended in between.
			for (const actor of this.#actors.values()) {
				actor.now &&= {...actor.now, isActive: false};
			}
		}

		if (known) {
			known.now = status ?? known.now;
		} else {
			this.#actors.set(id, {id, name, machine: machineOf(name, definition), since: this.#next, base: status, now: status});
		}
	}

	/** @param {any} frame */
	#addEvent({sessionId: to, sourceId, event, createdAt}) {
		this.#entries.push({number: this.#next++, time: Number(createdAt), from: sourceId ?? null, to, type: event.type, event, result: null});
		if (this.#entries.length > maxEntries) {
			const {to: receiver, result} = /** @type {Entry} */ (this.#entries.shift());
			const actor = this.#actors.get(receiver);
			if (actor && result) {
				actor.base = result;
			}

			if (this.#next % maxEntries === 0) {
				this.#deleteEndedActors();
			}
		}
	}

	/** @param {any} frame */
	#addSnapshot({sessionId: id, event, snapshot, transitions = []}) {
		const status = statusOf(snapshot);
		const entry = this.#entries.find(({to, type, result}) => to === id && type === event.type && result === null);
		if (entry) {
			entry.result = status;
		}

		const actor = this.#actors.get(id);
		if (!actor) {
			return null;
		}

		const before = actor.now ?? {value: undefined, isActive: true};
		actor.now = status;
		return {actor, before, transitions};
	}

	/** Deletes the actors that have ended and that no kept event refers to. */
	#deleteEndedActors() {
		const referred = new Set(this.#entries.flatMap(({from, to}) => [from, to]));
		for (const {id, now} of this.#actors.values()) {
			if (!now?.isActive && !referred.has(id)) {
				this.#actors.delete(id);
			}
		}
	}
}

/**
 * The id of an actor's machine; for a promise, the name of the state that invokes it.
 *
 * @param {string} name
 * @param {string | undefined} definition JSON.
 */
const machineOf = (name, definition) => {
	const {id = name} = JSON.parse(definition ?? '{}');
	return String(id).replace(/^\d+\./, '');
};
