// @ts-check
/**
 * Where the states of a machine and the ways between them lie: computed by ELK, in a worker of
 * its own, from the machine's definition.
 *
 * Two things stand in the drawing that no state is: a dot that shows where a state begins, and
 * “any”, from which ways lead that a state offers whichever of its children is active.
 *
 * ELK's door is a script of the page, since it is no module.
 */
/** @typedef {import('./machine.js').Machine} Machine */
/** @typedef {import('./machine.js').State} State */
/** @typedef {import('./machine.js').Way} Way */
/** @typedef {import('elkjs').ElkNode} ElkNode */

/** @typedef {{x: number, y: number}} Point */
/** @typedef {{id: string, kind: 'state' | 'group' | 'start' | 'any', x: number, y: number, width: number, height: number}} Box */
/** @typedef {{id: string, ways: Way[], lines: string[], points: Point[], label: {x: number, y: number, width: number, height: number} | null}} Line */
/** @typedef {{width: number, height: number, boxes: Box[], lines: Line[]}} Layout */
/** @typedef {'RIGHT' | 'DOWN'} Direction */
/** @typedef {{direction: Direction, besides: boolean, aspect: number}} Room `besides`: whether regions lie in the direction, one behind the other. `aspect`: width by height that a chain of states is folded to. */
/** @typedef {{state: (text: string) => number, label: (text: string) => number}} Measures How wide texts are. */

/** Sizes in the drawing's units, which are pixels at its natural size. */
const sizes = {stateHeight: 36, statePadding: 30, lineHeight: 15, labelPadding: 8};

/** @type {import('elkjs').ELK | undefined} */
let elk;

/**
 * @param {Machine} machine
 * @param {Room} room
 * @param {Measures} measure
 * @returns {Promise<Layout>}
 */
export const layOut = async (machine, {direction, besides, aspect}, measure) => {
	elk ??= new globalThis.ELK({workerUrl: new URL('vendor/elk-worker.js', import.meta.url).href, algorithms: ['layered']});
	const isChain = isSimpleChain(machine);
	const bundles = bundle(machine);
	const orders = besides ? orderOfRegions(machine) : [];
	/** @type {ElkNode} */
	const request = {
		id: machine.id,
		layoutOptions: {
			...manner(isChain ? 'RIGHT' : direction),
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
		edges: [...orders, ...bundles.map(({id, from, to, lines}) => ({
			id,
			sources: [from],
			targets: [to],
			...(lines.length > 0 && !isChain && {
				labels: [{
					text: lines.join('\n'),
					width: Math.max(...lines.map(measure.label)) + sizes.labelPadding,
					height: lines.length * sizes.lineHeight,
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
		lines: (graph.edges ?? []).slice(orders.length).map(({id, sections = [], labels = []}) => {
			const {ways, lines} = /** @type {Bundle} */ (bundles.find(one => one.id === id));
			const [label] = labels;
			return {
				id,
				ways,
				lines,
				points: sections.flatMap(({startPoint, bendPoints = [], endPoint}) => [startPoint, ...bendPoints, endPoint]),
				label: label ? {x: label.x ?? 0, y: label.y ?? 0, width: label.width ?? 0, height: label.height ?? 0} : null,
			};
		}),
	};
};

/**
 * What holds for every graph within the graph.
 *
 * @param {Direction} direction
 * @returns {import('elkjs').LayoutOptions}
 */
const manner = direction => ({
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
 * @param {Measures} measure
 * @returns {ElkNode[]}
 */
const childrenOf = (machine, id, direction, measure) => {
	const state = /** @type {State} */ (machine.states.get(id));
	const dots = [
		...(state.initial === null ? [] : [{id: `${id}:start`, width: 10, height: 10, layoutOptions: {'elk.layered.layering.layerConstraint': 'FIRST'}}]),
		...(machine.ways.some(way => leadsInside(way, id)) ? [{id: `${id}:any`, width: measure.label('any') + 16, height: 22}] : []),
	];
	return [...dots, ...state.children.map(child => {
		const {name} = /** @type {State} */ (machine.states.get(child));
		const children = childrenOf(machine, child, direction, measure);
		return children.length === 0
			? {id: child, width: measure.state(name) + sizes.statePadding, height: sizes.stateHeight}
			: {
				id: child,
				children,
				layoutOptions: {
					...manner(direction),
					'elk.padding': '[top=38,left=14,bottom=14,right=14]',
					'elk.nodeSize.constraints': 'MINIMUM_SIZE',
					'elk.nodeSize.minimum': `(${measure.state(name) + sizes.statePadding},60)`,
				},
			};
	})];
};

/**
 * @param {Way} way
 * @param {string} id
 */
const leadsInside = ({from, to}, id) => from === id && to !== null && to.startsWith(`${id}.`);

/**
 * Whether each state leads to one other at most: it can be folded, and its ways need no words.
 *
 * @param {Machine} machine
 */
const isSimpleChain = ({ways}) => new Set(ways.map(({from}) => from)).size === ways.length && new Set(ways.map(({label}) => label)).size === 1;

/**
 * Edges that no one sees, which have the regions of a parallel machine follow one another.
 *
 * @param {Machine} machine
 */
const orderOfRegions = ({id, states}) => {
	const {isParallel, children} = /** @type {State} */ (states.get(id));
	return isParallel ? children.slice(1).map((region, index) => ({id: `before ${region}`, sources: [/** @type {string} */ (children[index])], targets: [region]})) : [];
};

/** @typedef {{id: string, from: string, to: string, ways: Way[], lines: string[]}} Bundle */

/**
 * Ways of the same two states are one line with several words.
 *
 * @param {Machine} machine
 * @returns {Bundle[]}
 */
const bundle = machine => {
	/** @type {Map<string, Bundle>} */
	const bundles = new Map();
	for (const {id, initial} of machine.states.values()) {
		if (initial !== null) {
			bundles.set(`${id}:start`, {id: `${id}:start to ${initial}`, from: `${id}:start`, to: initial, ways: [], lines: []});
		}
	}

	for (const way of machine.ways) {
		if (way.to !== null) {
			const from = leadsInside(way, way.from) ? `${way.from}:any` : way.from;
			const id = `${from} to ${way.to}`;
			const one = bundles.get(id) ?? {id, from, to: way.to, ways: [], lines: []};
			bundles.set(id, one);
			one.ways.push(way);
			if (way.label !== '' && !one.lines.includes(way.label)) {
				one.lines.push(way.label);
			}
		}
	}

	return [...bundles.values()];
};
