// @ts-check
/** One event as an arrow between the lanes of a sequence diagram. */
import {svg} from './dom.js';

/** From left to right. What is no machine of its own here is the work of others. */
export const lanes = ['outside', 'process', 'daemon', 'cycle', 'work'];

const width = 46;
const height = 26;

/** @param {string | undefined} machine `undefined` for the world. */
export const laneOf = machine => machine === undefined ? 'outside' : lanes.includes(machine) ? machine : 'work';

/** @param {string} lane */
const middle = lane => (lanes.indexOf(lane) + 0.5) * width;

/**
 * @param {string} from
 * @param {string} to
 */
export const arrowBetween = (from, to) => {
	const start = middle(from);
	const end = middle(to);
	const y = height / 2;
	const side = Math.sign(end - start);
	const drawing = svg('svg', {'class': `lanes to-${to}`, 'viewBox': `0 0 ${lanes.length * width} ${height}`, 'aria-hidden': 'true'});
	for (const lane of lanes) {
		drawing.append(svg('line', {class: 'lane', x1: middle(lane), x2: middle(lane), y1: 0, y2: height}));
	}

	if (side === 0) {
		drawing.append(svg('path', {class: 'message', d: `M${start} ${y - 5}h10a5 5 0 0 1 0 10h-6`}), svg('path', {class: 'head', d: `M${start} ${y + 5}l6 -3.5v7z`}));
	} else {
		drawing.append(
			svg('circle', {class: 'head', cx: start, cy: y, r: 2.5}),
			svg('path', {class: 'message', d: `M${start} ${y}H${end - side * 6}`}),
			svg('path', {class: 'head', d: `M${end} ${y}l${-side * 7} -4v8z`}),
		);
	}

	return drawing;
};
