// @ts-check
/** A machine's definition, read: its states by their ids, and the ways from one to another. */

/**
 * @typedef {object} State
 * @property {string} id The keys from the machine down to the state, joined by dots.
 * @property {string} name Its key.
 * @property {string | null} parent
 * @property {string[]} children
 * @property {boolean} isParallel
 * @property {boolean} isFinal
 * @property {boolean} isWaiting Whether an actor in it waits for its next run.
 * @property {string | null} initial Id of the child that it begins with.
 * @property {string[]} entry Actions on entering it.
 * @property {string[]} invokes What it has done while it is active.
 */

/**
 * @typedef {object} Way
 * @property {string} from
 * @property {string | null} to `null` where the event is dealt with and the state stays.
 * @property {string} type Type of the event, as it comes in an inspection; `always` for none.
 * @property {string} label The event, as people say it.
 * @property {string | null} guard
 * @property {string[]} actions
 */

/** @typedef {{id: string, states: Map<string, State>, ways: Way[]}} Machine */

/** @param {any} value */
const listOf = value => value === undefined || value === null ? [] : Array.isArray(value) ? value : [value];

/** @param {any} part Name, or an object with a type, or nothing that has a name. */
const nameOf = part => typeof part === 'string' ? part : part?.type ?? 'a function';

/**
 * @param {any} definition As `setup().createMachine()` takes it, in JSON.
 * @returns {Machine}
 */
export const readMachine = definition => {
	/** @type {Machine} */
	const machine = {id: definition.id, states: new Map(), ways: []};
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
	const invokes = listOf(node.invoke);
	machine.states.set(id, {
		id,
		parent,
		name: id.slice(id.lastIndexOf('.') + 1),
		children: children.map(name => `${id}.${name}`),
		isParallel: node.type === 'parallel',
		isFinal: node.type === 'final',
		isWaiting: listOf(node.tags).includes('waiting'),
		initial: node.initial === undefined ? null : `${id}.${node.initial}`,
		entry: listOf(node.entry).map(nameOf),
		invokes: invokes.map(invoke => nameOf(invoke.src)),
	});

	/**
	 * @param {any} transitions
	 * @param {string} type
	 * @param {string} label
	 */
	const read = (transitions, type, label) => {
		for (const transition of listOf(transitions)) {
			const {target, guard, actions} = typeof transition === 'string' ? {target: transition} : transition;
			machine.ways.push({
				from: id,
				to: target === undefined ? null : targetOf(String(listOf(target)[0]), id, parent ?? id),
				type,
				label,
				guard: guard === undefined ? null : nameOf(guard),
				actions: listOf(actions).map(nameOf),
			});
		}
	};

	for (const [type, transitions] of Object.entries(node.on ?? {})) {
		read(transitions, type, type);
	}

	for (const [delay, transitions] of Object.entries(node.after ?? {})) {
		read(transitions, `xstate.after.${delay}.${id}`, `after ${delay}`);
	}

	for (const [index, invoke] of invokes.entries()) {
		const actor = invoke.id ?? `${index}.${id}`;
		read(invoke.onDone, `xstate.done.actor.${actor}`, 'done');
		read(invoke.onError, `xstate.error.actor.${actor}`, 'error');
	}

	read(node.onDone, `xstate.done.state.${id}`, 'done');
	read(node.always, 'always', '');

	for (const name of children) {
		readState(machine, node.states[name], `${id}.${name}`, id);
	}
};

/**
 * @param {string} target `#id` from the root, `.name` for a child, `name` for a sibling.
 * @param {string} id
 * @param {string} parent
 */
const targetOf = (target, id, parent) => {
	if (target.startsWith('#')) {
		return target.slice(1);
	}

	return target.startsWith('.') ? id + target : `${parent}.${target}`;
};

/**
 * The states that a snapshot's value stands for, with all that hold them.
 *
 * @param {Machine} machine
 * @param {any} value A name, or names under names.
 * @returns {Set<string>}
 */
export const activeStates = (machine, value) => {
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
 * Whether an actor at rest is done for now, and waits for its next run.
 *
 * @param {Machine} machine
 * @param {any} value
 */
export const isWaiting = (machine, value) => [...activeStates(machine, value)].some(id => machine.states.get(id)?.isWaiting);

/**
 * The state and what is entered with it.
 *
 * @param {Machine} machine
 * @param {string} id
 * @returns {string[]}
 */
export const enteredWith = (machine, id) => {
	const state = machine.states.get(id);
	if (!state) {
		return [];
	}

	const inner = state.isParallel ? state.children : listOf(state.initial);
	return [id, ...inner.flatMap(child => enteredWith(machine, child))];
};

/**
 * A snapshot's value in words.
 *
 * @param {any} value
 * @returns {string} for example `ready.accepting`, `mode idle, loop stopped`
 */
export const told = value => {
	if (value === undefined || value === null) {
		return '';
	}

	if (typeof value === 'string') {
		return value;
	}

	const parts = Object.entries(value).map(([name, inner]) => /** @type {[string, string]} */ ([name, told(inner)]));
	return parts.length === 1
		? parts.map(([name, inner]) => inner === '' ? name : `${name}.${inner}`).join('')
		: parts.map(([name, inner]) => `${name} ${inner}`).join(', ');
};
