// @ts-check
/** A machine's definition: its states by their ids, and the transitions between them. */

/**
 * @typedef {object} State
 * @property {string} id The keys from the machine down to the state, joined by dots.
 * @property {string} name Its key.
 * @property {string | null} parent
 * @property {string[]} children
 * @property {boolean} isParallel
 * @property {boolean} isFinal
 * @property {string | null} initial Id of the child that is entered first.
 * @property {string[]} entry Its entry actions.
 * @property {string[]} invokes The actors that it invokes.
 */

/**
 * @typedef {object} Transition
 * @property {string} from
 * @property {string | null} to `null` for one that only runs actions.
 * @property {string} label The event as a reader names it; empty for none.
 * @property {string | null} guard
 * @property {string[]} actions
 */

/** @typedef {{id: string, states: Map<string, State>, transitions: Transition[]}} Machine */

/** @param {any} value */
const toArray = value => value === undefined || value === null ? [] : Array.isArray(value) ? value : [value];

/** @param {any} part A name, an object with a type, or a function without a name. */
const nameOf = part => typeof part === 'string' ? part : part?.type ?? 'a function';

/**
 * @param {any} definition As `setup().createMachine()` takes it, in JSON.
 * @returns {Machine}
 */
export const readMachine = definition => {
	/** @type {Machine} */
	const machine = {id: definition.id, states: new Map(), transitions: []};
	readState(machine, definition, definition.id, null);
	return machine;
};

/**
 * @param {Machine} machine
 * @param {any} node
 * @param {string} id
 * @param {string | null} parent
 */
const readState = (machine, node, id, parent) => {
	const children = Object.keys(node.states ?? {});
	const invokes = toArray(node.invoke);
	machine.states.set(id, {
		id,
		parent,
		name: id.slice(id.lastIndexOf('.') + 1),
		children: children.map(name => `${id}.${name}`),
		isParallel: node.type === 'parallel',
		isFinal: node.type === 'final',
		initial: node.initial === undefined ? null : `${id}.${node.initial}`,
		entry: toArray(node.entry).map(nameOf),
		invokes: invokes.map(invoke => nameOf(invoke.src)),
	});

	/**
	 * @param {any} definitions
	 * @param {string} label
	 */
	const read = (definitions, label) => {
		for (const transition of toArray(definitions)) {
			const {target, guard, actions} = typeof transition === 'string' ? {target: transition} : transition;
			machine.transitions.push({
				from: id,
				to: target === undefined ? null : resolveTarget(String(toArray(target)[0]), id, parent ?? id),
				label,
				guard: guard === undefined ? null : nameOf(guard),
				actions: toArray(actions).map(nameOf),
			});
		}
	};

	for (const [type, definitions] of Object.entries(node.on ?? {})) {
		read(definitions, type);
	}

	for (const [delay, definitions] of Object.entries(node.after ?? {})) {
		read(definitions, `after ${delay}`);
	}

	for (const invoke of invokes) {
		read(invoke.onDone, 'done');
		read(invoke.onError, 'error');
	}

	read(node.onDone, 'done');
	read(node.always, '');

	for (const name of children) {
		readState(machine, node.states[name], `${id}.${name}`, id);
	}
};

/**
 * @param {string} target `#id` from the root, `.name` for a child, `name` for a sibling.
 * @param {string} id
 * @param {string} parent
 */
const resolveTarget = (target, id, parent) => {
	if (target.startsWith('#')) {
		return target.slice(1);
	}

	return target.startsWith('.') ? id + target : `${parent}.${target}`;
};

/**
 * The ids of the states in a snapshot's value, with all their ancestors.
 *
 * @param {Machine} machine
 * @param {any} value A name, or names under names.
 * @returns {Set<string>}
 */
export const listActiveStates = (machine, value) => {
	const active = new Set([machine.id]);
	/**
	 * @param {any} part
	 * @param {string} id
	 */
	const visit = (part, id) => {
		for (const [name, inner] of typeof part === 'string' ? [[part, null]] : Object.entries(part ?? {})) {
			active.add(`${id}.${name}`);
			visit(inner, `${id}.${name}`);
		}
	};

	visit(value, machine.id);
	return active;
};

/**
 * A snapshot's value as text.
 *
 * @param {any} value
 * @returns {string} for example `ready.accepting`, `mode idle, loop stopped`
 */
export const formatValue = value => {
	if (value === undefined || value === null) {
		return '';
	}

	if (typeof value === 'string') {
		return value;
	}

	const parts = Object.entries(value).map(([name, inner]) => /** @type {[string, string]} */ ([name, formatValue(inner)]));
	return parts.length === 1
		? parts.map(([name, inner]) => inner === '' ? name : `${name}.${inner}`).join('')
		: parts.map(([name, inner]) => `${name} ${inner}`).join(', ');
};
