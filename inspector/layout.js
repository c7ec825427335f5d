// @ts-check
/**
 * The layout of a statechart: ELK computes it in a worker, from the machine's definition.
 *
 * Two kinds of boxes are not states: a dot in front of an initial state, and “any”, the source of
 * transitions that a parent state takes whichever of its children is active.
 *
 * ELK's API is not a module: a script of the page loads it.
 */
/** @typedef {import('./machine.js').Machine} Machine */
/** @typedef {import('./machine.js').State} State */
/** @typedef {import('./machine.js').Transition} Transition */
/** @typedef {import('elkjs').ElkNode} ElkNode */

/** @typedef {{x: number, y: number}} Point */
/** @typedef {{id: string, kind: 'state' | 'group' | 'start' | 'any', x: number, y: number, width: number, height: number}} Box */
/** @typedef {{id: string, transitions: Transition[], labels: string[], points: Point[], labelBox: {x: number, y: number, width: number, height: number} | null}} Edge */
/** @typedef {{width: number, height: number, boxes: Box[], edges: Edge[]}} Layout */
/** @typedef {'RIGHT' | 'DOWN'} Direction */
/** @typedef {{direction: Direction, areRegionsInLine: boolean, aspect: number}} LayoutOptions `areRegionsInLine`: whether parallel regions follow one another in the direction. `aspect`: width by height into which a chain of states is wrapped. */
/** @typedef {{state: (text: string) => number, label: (text: string) => number}} TextMeasures The widths of texts. */

/** In pixels at the drawing's natural size. */
const sizes = {stateHeight: 36, statePadding: 30, lineHeight: 15, labelPadding: 8};

/** @type {import('elkjs').ELK | undefined} */
let elk;

/**
 * @param {Machine} machine
 * @param {LayoutOptions} options
 * @param {TextMeasures} measure
 * @returns {Promise<Layout>}
 */
export const layOut = async (machine, {direction, areRegionsInLine, aspect}, measure) => {
	elk ??= new globalThis.ELK({workerUrl: new URL('vendor/elk-worker.js', import.meta.url).href, algorithms: ['layered']});
	const isChain = isSimpleChain(machine);
	const edges = mergeTransitions(machine);
	const invisible = areRegionsInLine ? orderRegions(machine) : [];
	/** @type {ElkNode} */
	const request = {
		id: machine.id,
		layoutOptions: {
			...graphOptions(isChain ? 'RIGHT' : direction),
			'elk.hierarchyHandling': isChain ? 'SEPARATE_CHILDREN' : 'INCLUDE_CHILDREN',
			'elk.padding': `[top=6,left=6,bottom=${isChain ? 22 : 6},right=6]`,
			'elk.json.edgeCoords': 'ROOT',
			'elk.json.shapeCoords': 'ROOT',
			...(isChain && {
				'elk.layered.wrapping.strategy': 'MULTI_EDGE',
				'elk.layered.wrapping.additionalEdgeSpacing': '18',
				'elk.aspectRatio': String(aspect),
			}),
		},
		children: childrenOf(machine, machine.id, direction, measure),
		edges: [...invisible, ...edges.map(({id, from, to, labels}) => ({
			id,
			sources: [from],
			targets: [to],
			...(labels.length > 0 && !isChain && {
				labels: [{
					text: labels.join('\n'),
					width: Math.max(...labels.map(measure.label)) + sizes.labelPadding,
					height: labels.length * sizes.lineHeight,
					layoutOptions: {'elk.edgeLabels.placement': 'CENTER'},
				}],
			}),
		}))],
	};
	const graph = await elk.layout(request);

	return {
		width: graph.width ?? 0,
		height: graph.height ?? 0,
		boxes: (graph.children ?? []).flatMap(boxesOf),
		edges: (graph.edges ?? []).slice(invisible.length).map(({id, sections = [], labels: [label] = []}) => {
			const {transitions, labels} = /** @type {MergedEdge} */ (edges.find(edge => edge.id === id));
			return {
				id,
				transitions,
				labels,
				points: sections.flatMap(({startPoint, bendPoints = [], endPoint}) => [startPoint, ...bendPoints, endPoint]),
				labelBox: label ? {x: label.x ?? 0, y: label.y ?? 0, width: label.width ?? 0, height: label.height ?? 0} : null,
			};
		}),
	};
};

/**
 * The options of every graph within the graph.
 *
 * @param {Direction} direction
 * @returns {import('elkjs').LayoutOptions}
 */
const graphOptions = direction => ({
	'elk.algorithm': 'layered',
	'elk.direction': direction,
	'elk.edgeRouting': 'ORTHOGONAL',
	'elk.spacing.nodeNode': '22',
	'elk.spacing.edgeNode': '14',
	'elk.spacing.edgeEdge': '11',
	'elk.spacing.edgeLabel': '3',
	'elk.layered.spacing.nodeNodeBetweenLayers': '26',
	'elk.layered.spacing.edgeNodeBetweenLayers': '14',
	'elk.layered.spacing.edgeEdgeBetweenLayers': '11',
	'elk.layered.cycleBreaking.strategy': 'DEPTH_FIRST',
	'elk.layered.nodePlacement.strategy': 'NETWORK_SIMPLEX',
});

/**
 * @param {ElkNode} node
 * @returns {Box[]}
 */
const boxesOf = ({id, x = 0, y = 0, width = 0, height = 0, children = []}) => [
	{id, kind: kindOf(id, children), x, y, width, height},
	...children.flatMap(boxesOf),
];

/**
 * @param {string} id
 * @param {readonly unknown[]} children
 */
const kindOf = (id, children) => {
	if (id.endsWith(':start')) {
		return 'start';
	}

	if (id.endsWith(':any')) {
		return 'any';
	}

	return children.length > 0 ? 'group' : 'state';
};

/**
 * @param {Machine} machine
 * @param {string} id
 * @param {Direction} direction
 * @param {TextMeasures} measure
 * @returns {ElkNode[]}
 */
const childrenOf = (machine, id, direction, measure) => {
	const state = /** @type {State} */ (machine.states.get(id));
	const markers = [
		...(state.initial === null ? [] : [{id: `${id}:start`, width: 10, height: 10, layoutOptions: {'elk.layered.layering.layerConstraint': 'FIRST'}}]),
		...(machine.transitions.some(transition => staysInside(transition, id)) ? [{id: `${id}:any`, width: measure.label('any') + 16, height: 22}] : []),
	];
	return [...markers, ...state.children.map(child => {
		const {name} = /** @type {State} */ (machine.states.get(child));
		const children = childrenOf(machine, child, direction, measure);
		return children.length === 0
			? {id: child, width: measure.state(name) + sizes.statePadding, height: sizes.stateHeight}
			: {
				id: child,
				children,
				layoutOptions: {
					...graphOptions(direction),
					'elk.padding': '[top=38,left=14,bottom=14,right=14]',
					'elk.nodeSize.constraints': 'MINIMUM_SIZE',
					'elk.nodeSize.minimum': `(${measure.state(name) + sizes.statePadding},60)`,
				},
			};
	})];
};

/**
 * Whether a transition of a state leads to one of its descendants.
 *
 * @param {Transition} transition
 * @param {string} id
 */
const staysInside = ({from, to}, id) => from === id && to !== null && to.startsWith(`${id}.`);

/**
 * Whether every state has at most one transition, all by the same event: the chart can be wrapped and needs no labels.
 *
 * @param {Machine} machine
 */
const isSimpleChain = ({transitions}) => new Set(transitions.map(({from}) => from)).size === transitions.length && new Set(transitions.map(({label}) => label)).size === 1;

/**
 * Invisible edges, which make the regions of a parallel machine follow one another.
 *
 * @param {Machine} machine
 */
const orderRegions = ({id, states}) => {
	const {isParallel, children} = /** @type {State} */ (states.get(id));
	return isParallel ? children.slice(1).map((region, index) => ({id: `before ${region}`, sources: [/** @type {string} */ (children[index])], targets: [region]})) : [];
};

/** @typedef {{id: string, from: string, to: string, transitions: Transition[], labels: string[]}} MergedEdge */

/**
 * Merges transitions between the same two states into one edge with several labels.
 *
 * @param {Machine} machine
 * @returns {MergedEdge[]}
 */
const mergeTransitions = machine => {
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
