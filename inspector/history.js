// @ts-check
/**
 * What has come from the inspection: who the actors are, the last thousand events between them,
 * and, for each of these events, the picture of all machines as it was then.
 *
 * An event is told when it is sent, a snapshot when it has been dealt with; the two are brought
 * together by actor and type, in the order in which an actor deals with its mailbox.
 */

/**
 * @typedef {object} Session An actor.
 * @property {string} id
 * @property {string} name
 * @property {string} machine Id of its machine; for others what they are made by.
 * @property {number} since Number of the first event that it can have been there for.
 * @property {Rest | null} base How it rested before the oldest event that is kept.
 * @property {Rest | null} now
 */

/** @typedef {{value: unknown, isLiving: boolean}} Rest */

/**
 * @typedef {object} Entry An event between two actors.
 * @property {number} number
 * @property {number} time Milliseconds since the epoch.
 * @property {string | null} from Session; null for the world.
 * @property {string} to
 * @property {string} type
 * @property {any} event
 * @property {Rest | null} became How the hearer rested afterwards; null while that is not known.
 */

/** @typedef {Map<string, {session: Session, rest: Rest}[]>} Picture Machine → its actors. */

/** How many events are kept. */
const depth = 1000;

/** @param {any} snapshot @returns {Rest} */
const restOf = ({value, status}) => ({value, isLiving: status === 'active'});

export class History {
	/** @type {Map<string, Session>} */
	#sessions = new Map();
	/** @type {Entry[]} */
	#entries = [];
	#next = 0;

	/** Oldest first. */
	get entries() {
		return /** @type {readonly Entry[]} */ (this.#entries);
	}

	/** How many events have come in all. */
	get count() {
		return this.#next;
	}

	/** @param {string | null} id */
	session(id) {
		return id === null ? undefined : this.#sessions.get(id);
	}

	clear() {
		this.#sessions.clear();
		this.#entries = [];
	}

	/**
	 * @param {any} frame In the wire format of Stately's inspector.
	 * @returns {{session: Session, before: Rest, event: string} | null} what happened to a machine, if it did
	 */
	take(frame) {
		switch (frame.type) {
			case '@xstate.actor':
				this.#meet(frame);
				return null;
			case '@xstate.event':
				this.#note(frame);
				return null;
			case '@xstate.snapshot':
				return this.#settle(frame);
			default:
				return null;
		}
	}

	/**
	 * How all machines rested after an event.
	 *
	 * @param {number} [number] Of the event; now unless given.
	 * @returns {Picture}
	 */
	picture(number) {
		/** @type {Map<string, Rest>} */
		const rests = new Map();
		for (const {id, base, now, since} of this.#sessions.values()) {
			const rest = number === undefined ? now : base;
			if (rest && (number === undefined || since <= number)) {
				rests.set(id, rest);
			}
		}

		for (const entry of number === undefined ? [] : this.#entries) {
			if (entry.number <= /** @type {number} */ (number) && entry.became) {
				rests.set(entry.to, entry.became);
			}
		}

		/** @type {Picture} */
		const picture = new Map();
		for (const [id, rest] of rests) {
			const session = /** @type {Session} */ (this.#sessions.get(id));
			picture.set(session.machine, [...(picture.get(session.machine) ?? []), {session, rest}]);
		}

		return picture;
	}

	/** A copy that stays as it is. */
	frozen() {
		const copy = new History();
		copy.#sessions = new Map([...this.#sessions].map(([id, session]) => [id, {...session}]));
		copy.#entries = this.#entries.map(entry => ({...entry}));
		copy.#next = this.#next;
		return copy;
	}

	/** @param {any} frame */
	#meet({sessionId: id, parentId, name, definition, snapshot}) {
		const rest = snapshot?.value === undefined ? null : restOf(snapshot);
		const known = this.#sessions.get(id);
		if (known && parentId === undefined) {
			// All actors that live are told of anew, the root first: whoever is not among them ended unseen.
			for (const session of this.#sessions.values()) {
				session.now &&= {...session.now, isLiving: false};
			}
		}

		if (known) {
			known.now = rest ?? known.now;
		} else {
			this.#sessions.set(id, {id, name, machine: machineOf(name, definition), since: this.#next, base: rest, now: rest});
		}
	}

	/** @param {any} frame */
	#note({sessionId: to, sourceId, event, createdAt}) {
		this.#entries.push({number: this.#next++, time: Number(createdAt), from: sourceId ?? null, to, type: event.type, event, became: null});
		if (this.#entries.length > depth) {
			const {to: hearer, became} = /** @type {Entry} */ (this.#entries.shift());
			const session = this.#sessions.get(hearer);
			if (session && became) {
				session.base = became;
			}

			if (this.#next % depth === 0) {
				this.#forget();
			}
		}
	}

	/** @param {any} frame */
	#settle({sessionId: id, event, snapshot}) {
		const rest = restOf(snapshot);
		const entry = this.#entries.find(({to, type, became}) => to === id && type === event.type && became === null);
		if (entry) {
			entry.became = rest;
		}

		const session = this.#sessions.get(id);
		if (!session) {
			return null;
		}

		const before = session.now ?? {value: undefined, isLiving: true};
		session.now = rest;
		return {session, before, event: event.type};
	}

	/** Actors that are gone, and that no event is kept of, are forgotten. */
	#forget() {
		const spoken = new Set(this.#entries.flatMap(({from, to}) => [from, to]));
		for (const {id, now} of this.#sessions.values()) {
			if (!now?.isLiving && !spoken.has(id)) {
				this.#sessions.delete(id);
			}
		}
	}
}

/**
 * The machine that an actor lives by; for a promise, the name of the state that waits for it.
 *
 * @param {string} name
 * @param {string | undefined} definition JSON.
 */
const machineOf = (name, definition) => {
	const {id = name} = JSON.parse(definition ?? '{}');
	return String(id).replace(/^\d+\./, '');
};
