// @ts-check
/**
 * The layout of a statechart. The machines of an identity are laid out when the package is built,
 * by `scripts/lay-out-machines.ts`; a machine that is not one of these, or has changed since, is
 * drawn as boxes one below another, and its transitions are in the tooltips alone.
 *
 * Two kinds of boxes are not states: a dot in front of an initial state, and “any”, the source of
 * transitions that a parent state takes whichever of its children is active.
 */
/** @typedef {import('./machine.js').Machine} Machine */
/** @typedef {import('./machine.js').State} State */
/** @typedef {import('./machine.js').Transition} Transition */

/** @typedef {{x: number, y: number}} Point */
/** @typedef {Point & {width: number, height: number}} Area */
/** @typedef {Area & {id: string, kind: 'state' | 'group' | 'start' | 'any'}} Box */
/** @typedef {{id: string, points: Point[], labelBox: Area | null}} Line Of the edge with this id. */
/** @typedef {{width: number, height: number, boxes: Box[], lines: Line[]}} StoredLayout */
/** @typedef {Record<string, Record<string, StoredLayout>>} StoredLayouts By the machine's id and the name of the variant. */
/** @typedef {Line & {transitions: Transition[], labels: string[]}} Edge */
/** @typedef {{width: number, height: number, boxes: Box[], edges: Edge[]}} Layout */
/** @typedef {{name: string, direction: 'RIGHT' | 'DOWN', areRegionsInLine: boolean, aspect: number}} Variant `areRegionsInLine`: whether parallel regions follow one another in the direction. `aspect`: the ratio of width to height to which a chain of states is wrapped. */

/**
 * A narrow chart goes downwards; in a wide one, parallel regions lie side by side.
 *
 * @type {readonly Variant[]}
 */
export const variants = [
	{name: 'narrow', direction: 'DOWN', areRegionsInLine: true, aspect: 0.7},
	{name: 'medium', direction: 'RIGHT', areRegionsInLine: false, aspect: 4},
	{name: 'wide', direction: 'RIGHT', areRegionsInLine: false, aspect: 5},
	{name: 'widest', direction: 'RIGHT', areRegionsInLine: true, aspect: 5},
];

/** A drawing that is reduced further than this is hard to read. */
const minScale = 0.8;

/**
 * Picks the flattest layout that is legible at a width; if none is, the one that is reduced least.
 *
 * @param {Record<string, StoredLayout>} layouts
 * @param {number} width Of the drawing's place, in pixels.
 * @returns {[name: string, layout: StoredLayout | undefined]}
 */
export const pickLayout = (layouts, width) => {
	const all = Object.entries(layouts).toSorted(([, one], [, other]) => one.height - other.height);
	const narrowest = all.toSorted(([, one], [, other]) => one.width - other.width)[0];
	return all.find(([, layout]) => layout.width * minScale <= width) ?? narrowest ?? ['none', undefined];
};

/** In pixels at the drawing's natural size. */
export const sizes = {stateHeight: 36, statePadding: 30, groupHeader: 38, groupPadding: 14, lineHeight: 15, labelPadding: 8};

/**
 * Estimates the width of a text in pixels, rather too large than too small, since fonts differ between systems.
 *
 * @param {string} text
 * @param {number} size Of the font.
 */
export const estimateWidth = (text, size) => {
	const ems = Array.from(text, character => /[fijlrt.,:;'| ]/.test(character) ? 0.33 : /[mwA-Z]/.test(character) ? 0.86 : 0.62);
	return size * ems.reduce((sum, em) => sum + em, 0);
};

/**
 * @param {Machine} machine
 * @param {StoredLayout | undefined} stored
 * @returns {Layout}
 */
export const layOut = (machine, stored) => {
	const edges = mergeTransitions(machine);
	const lines = new Map(stored?.lines.map(line => [line.id, line]));
	const boxes = new Set(stored?.boxes.map(({id}) => id));
	const isCurrent = stored && lines.size === edges.length && edges.every(({id}) => lines.has(id))
		&& [...machine.states.keys()].every(id => id === machine.id || boxes.has(id));
	return isCurrent
		? {...stored, edges: edges.map(edge => ({...edge, .../** @type {Line} */ (lines.get(edge.id))}))}
		: stackStates(machine);
};

/**
 * Boxes one below another, those of children within their parent's.
 *
 * @param {Machine} machine
 * @returns {Layout}
 */
const stackStates = machine => {
	/**
	 * @param {string} id
	 * @param {Point} place
	 * @returns {Box[]} the box of the state itself first
	 */
	const stack = (id, {x, y}) => {
		const {name, children} = /** @type {State} */ (machine.states.get(id));
		const width = estimateWidth(name, 14) + sizes.statePadding;
		if (children.length === 0) {
			return [{id, kind: 'state', x, y, width, height: sizes.stateHeight}];
		}

		let bottom = y + sizes.groupHeader;
		const inside = children.map(child => {
			const boxes = stack(child, {x: x + sizes.groupPadding, y: bottom});
			bottom += /** @type {Box} */ (boxes[0]).height + sizes.groupPadding;
			return boxes;
		});
		const widest = Math.max(...inside.map(([box]) => /** @type {Box} */ (box).width));
		return [{id, kind: 'group', x, y, width: Math.max(width, widest + 2 * sizes.groupPadding), height: bottom - y}, ...inside.flat()];
	};

	const [outside, ...boxes] = stack(machine.id, {x: 0, y: -sizes.groupHeader + sizes.groupPadding});
	const {width, height} = /** @type {Box} */ (outside);
	return {width, height: height - sizes.groupHeader + sizes.groupPadding, boxes, edges: []};
};

/**
 * Whether a transition of a state leads to one of its descendants.
 *
 * @param {Transition} transition
 * @param {string} id
 */
export const staysInside = ({from, to}, id) => from === id && to !== null && to.startsWith(`${id}.`);

/** @typedef {{id: string, from: string, to: string, transitions: Transition[], labels: string[]}} MergedEdge */

/**
 * Merges transitions between the same two states into one edge with several labels.
 *
 * @param {Machine} machine
 * @returns {MergedEdge[]}
 */
export const mergeTransitions = machine => {
	/** @type {Map<string, MergedEdge>} */
	const edges = new Map();
	for (const {id, initial} of machine.states.values()) {
		if (initial !== null) {
			edges.set(`${id}:start`, {id: `${id}:start to ${initial}`, from: `${id}:start`, to: initial, transitions: [], labels: []});
		}
	}

	for (const transition of machine.transitions) {
		if (transition.to !== null) {
			const from = staysInside(transition, transition.from) ? `${transition.from}:any` : transition.from;
			const id = `${from} to ${transition.to}`;
			const edge = edges.get(id) ?? {id, from, to: transition.to, transitions: [], labels: []};
			edges.set(id, edge);
			edge.transitions.push(transition);
			if (transition.label !== '' && !edge.labels.includes(transition.label)) {
				edge.labels.push(transition.label);
			}
		}
	}

	return [...edges.values()];
};
