/**
 * Lays out the machines of an identity for the inspector's page, in each variant, and writes
 * `vendor/layouts.json`. The layout engine ELK is a thousand times as large as what it computes here,
 * so the page does not load it.
 */
import {writeFile} from 'node:fs/promises';
import elk, {type ElkNode, type ElkShape, type LayoutOptions} from 'elkjs/lib/elk.bundled.js';
import {estimateWidth, mergeTransitions, sizes, staysInside, variants, type Area, type Box, type Machine, type StoredLayout, type StoredLayouts, type Variant} from '../inspector/machines/layout.js';
import {readMachine} from '../inspector/machines/machine.js';
import {describeMachines} from '../src/http/pages/inspector-page.ts';

// The types of this CommonJS module declare the class only as `default`.
const engine = new elk.default();

const measureState = (text: string): number => estimateWidth(text, 14);
const measureLabel = (text: string): number => estimateWidth(text, 12);

const layOut = async (machine: Machine, {direction, areRegionsInLine, aspect}: Variant): Promise<StoredLayout> => {
	const isChain = isSimpleChain(machine);
	const invisible = areRegionsInLine ? orderRegions(machine) : [];
	const request: ElkNode = {
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
		children: childrenOf(machine, machine.id, direction),
		edges: [...invisible, ...mergeTransitions(machine).map(({id, from, to, labels}) => ({
			id,
			sources: [from],
			targets: [to],
			...(labels.length > 0 && !isChain && {
				labels: [{
					text: labels.join('\n'),
					width: Math.max(...labels.map(measureLabel)) + sizes.labelPadding,
					height: labels.length * sizes.lineHeight,
					layoutOptions: {'elk.edgeLabels.placement': 'CENTER'},
				}],
			}),
		}))],
	};
	const graph = await engine.layout(request);
	return {
		width: graph.width ?? 0,
		height: graph.height ?? 0,
		boxes: graph.children!.flatMap(boxesOf),
		lines: graph.edges!.slice(invisible.length).map(({id, sections = [], labels: [label] = []}) => ({
			id,
			points: sections.flatMap(({startPoint, bendPoints = [], endPoint}) => [startPoint, ...bendPoints, endPoint]),
			labelBox: label ? areaOf(label) : null,
		})),
	};
};

/** The options of a graph; each nested graph needs them too. */
const graphOptions = (direction: Variant['direction']): LayoutOptions => ({
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

const areaOf = ({x = 0, y = 0, width = 0, height = 0}: ElkShape): Area => ({x, y, width, height});

const boxesOf = (node: ElkNode): Box[] => {
	const {id, children = []} = node;
	return [{id, kind: kindOf(id, children), ...areaOf(node)}, ...children.flatMap(boxesOf)];
};

const kindOf = (id: string, children: readonly ElkNode[]): Box['kind'] => {
	if (id.endsWith(':start')) {
		return 'start';
	}

	if (id.endsWith(':any')) {
		return 'any';
	}

	return children.length > 0 ? 'group' : 'state';
};

const childrenOf = (machine: Machine, id: string, direction: Variant['direction']): ElkNode[] => {
	const state = machine.states.get(id)!;
	const markers = [
		...(state.initial === null ? [] : [{id: `${id}:start`, width: 10, height: 10, layoutOptions: {'elk.layered.layering.layerConstraint': 'FIRST'}}]),
		...(machine.transitions.some(transition => staysInside(transition, id)) ? [{id: `${id}:any`, width: measureLabel('any') + 16, height: 22}] : []),
	];
	return [...markers, ...state.children.map(child => {
		const width = measureState(machine.states.get(child)!.name) + sizes.statePadding;
		const children = childrenOf(machine, child, direction);
		return children.length === 0
			? {id: child, width, height: sizes.stateHeight}
			: {
				id: child,
				children,
				layoutOptions: {
					...graphOptions(direction),
					'elk.padding': `[top=${sizes.groupHeader},left=${sizes.groupPadding},bottom=${sizes.groupPadding},right=${sizes.groupPadding}]`,
					'elk.nodeSize.constraints': 'MINIMUM_SIZE',
					'elk.nodeSize.minimum': `(${width},60)`,
				},
			};
	})];
};

/** Whether every state has at most one transition, all by the same event: the chart can be wrapped and needs no labels. */
const isSimpleChain = ({transitions}: Machine): boolean =>
	new Set(transitions.map(({from}) => from)).size === transitions.length && new Set(transitions.map(({label}) => label)).size === 1;

/** Invisible edges, which make the regions of a parallel machine follow one another. */
const orderRegions = ({id, states}: Machine) => {
	const {isParallel, children} = states.get(id)!;
	return isParallel ? children.slice(1).map((region, index) => ({id: `before ${region}`, sources: [children[index]!], targets: [region]})) : [];
};

const layouts: StoredLayouts = {};
for (const machine of describeMachines().map(definition => readMachine(definition))) {
	const ofMachine = layouts[machine.id] = {} as Record<string, StoredLayout>;
	for (const variant of variants) {
		ofMachine[variant.name] = await layOut(machine, variant);
	}
}

await writeFile('vendor/layouts.json', JSON.stringify(layouts, (_key, value: unknown) => typeof value === 'number' ? Math.round(value * 10) / 10 : value));
