// @ts-check
/** One event as an arrow between the lifelines of a sequence diagram. */
import {svg} from '../dom.js';

/** From left to right. “other” is every actor that runs no machine with a lifeline, such as a promise. */
export const lifelines = ['outside', 'process', 'daemon', 'cycle', 'other'];

const spacing = 46;
const height = 26;

/** @param {string | undefined} machine `undefined` for a sender outside of the actor system. */
export const lifelineOf = machine => machine === undefined ? 'outside' : lifelines.includes(machine) ? machine : 'other';

/** @param {string} lifeline */
const positionOf = lifeline => (lifelines.indexOf(lifeline) + 0.5) * spacing;

/**
 * @param {string} from
 * @param {string} to
 */
export const drawMessage = (from, to) => {
	const start = positionOf(from);
	const end = positionOf(to);
	const y = height / 2;
	const side = Math.sign(end - start);
	const drawing = svg('svg', {'class': `lifelines to-${to}`, 'viewBox': `0 0 ${lifelines.length * spacing} ${height}`, 'aria-hidden': 'true'},
		...lifelines.map(positionOf).map(x => svg('line', {class: 'lifeline', x1: x, x2: x, y1: 0, y2: height})));
	if (side === 0) {
		drawing.append(svg('path', {class: 'message', d: `M${start} ${y - 5}h10a5 5 0 0 1 0 10h-6`}), svg('path', {class: 'arrowhead', d: `M${start} ${y + 5}l6 -3.5v7z`}));
	} else {
		drawing.append(
			svg('circle', {class: 'arrowhead', cx: start, cy: y, r: 2.5}),
			svg('path', {class: 'message', d: `M${start} ${y}H${end - side * 6}`}),
			svg('path', {class: 'arrowhead', d: `M${end} ${y}l${-side * 7} -4v8z`}),
		);
	}

	return drawing;
};
