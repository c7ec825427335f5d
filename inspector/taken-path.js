// @ts-check
/**
 * The path that a machine took from one snapshot to the next. A snapshot tells where a machine
 * has come to rest, not what it passed on the way; the way is found again in its definition:
 * from a state that was active, by the event, and on through transitions that need none.
 */
import {enteredWith} from './machine.js';

/** @typedef {import('./machine.js').Machine} Machine */
/** @typedef {import('./machine.js').Way} Way */

/**
 * @param {string} pattern Type of a way's event, which may end in `*`.
 * @param {string} type
 */
const matches = (pattern, type) => pattern === type || (pattern.endsWith('*') && type.startsWith(pattern.slice(0, -1)));

/**
 * The ways taken, in order; empty where the event led nowhere.
 *
 * @param {Machine} machine
 * @param {ReadonlySet<string>} before Active states.
 * @param {string} type Of the event.
 * @param {ReadonlySet<string>} after
 * @returns {Way[]}
 */
export const takenPath = (machine, before, type, after) => {
	const stayed = [...after].every(id => before.has(id));
	return machine.ways
		.filter(way => way.to !== null && before.has(way.from) && matches(way.type, type))
		// Where all stayed as it was, a guard may have kept it so.
		.filter(way => !stayed || way.guard === null)
		.map(way => onwards(machine, way, after, new Set()))
		.reduce((/** @type {Way[]} */ all, path) => startsAlike(all, path) ? all : [...all, ...path], []);
};

/**
 * Of ways of the same state by the same event, the first that leads on is the one taken.
 *
 * @param {Way[]} taken
 * @param {Way[]} path
 */
const startsAlike = (taken, [first]) => taken.some(way => way.from === first?.from && way.type === first.type);

/**
 * The way and what follows it without an event, up to a state that is active afterwards; empty
 * where none is reached.
 *
 * @param {Machine} machine
 * @param {Way} way
 * @param {ReadonlySet<string>} after
 * @param {Set<Way>} seen
 * @returns {Way[]}
 */
const onwards = (machine, way, after, seen) => {
	const entered = enteredWith(machine, way.to ?? way.from);
	if (entered.every(id => after.has(id))) {
		return [way];
	}

	seen.add(way);
	for (const next of machine.ways) {
		if (next.type === 'always' && next.to !== null && entered.includes(next.from) && !seen.has(next)) {
			const rest = onwards(machine, next, after, seen);
			if (rest.length > 0) {
				return [way, ...rest];
			}
		}
	}

	return [];
};
