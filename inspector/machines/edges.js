// @ts-check
/** The edge between two states, as SVG paths: a line with rounded corners, and an arrowhead. */

/** @typedef {import('./layout.js').Point} Point */

const cornerRadius = 7;
const arrowhead = {length: 8, halfWidth: 3.5};

/**
 * The line through the points, up to the arrowhead.
 *
 * @param {Point[]} points
 */
export const drawLine = points => {
	const [first, ...rest] = points;
	if (!first) {
		return '';
	}

	let path = `M${first.x} ${first.y}`;
	for (const [index, point] of rest.entries()) {
		const before = /** @type {Point} */ (points[index]);
		const after = rest[index + 1];
		if (after) {
			const start = moveTowards(point, before, cornerRadius);
			const end = moveTowards(point, after, cornerRadius);
			path += `L${start.x} ${start.y}Q${point.x} ${point.y} ${end.x} ${end.y}`;
		} else {
			const end = moveTowards(point, before, arrowhead.length - 1);
			path += `L${end.x} ${end.y}`;
		}
	}

	return path;
};

/**
 * The arrowhead at the last point.
 *
 * @param {Point[]} points
 */
export const drawArrowhead = points => {
	const [before, tip] = points.slice(-2);
	if (!before || !tip) {
		return '';
	}

	const base = moveTowards(tip, before, arrowhead.length);
	const scale = arrowhead.halfWidth / arrowhead.length;
	const across = {x: (tip.y - base.y) * scale, y: (base.x - tip.x) * scale};
	return `M${tip.x} ${tip.y}L${base.x + across.x} ${base.y + across.y}L${base.x - across.x} ${base.y - across.y}Z`;
};

/**
 * The point at a distance from one point towards another, at most halfway.
 *
 * @param {Point} from
 * @param {Point} to
 * @param {number} distance
 * @returns {Point}
 */
const moveTowards = (from, to, distance) => {
	const length = Math.hypot(to.x - from.x, to.y - from.y);
	const share = length === 0 ? 0 : Math.min(distance / length, 0.5);
	return {x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share};
};
