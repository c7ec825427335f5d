// @ts-check
/** A line between two states, as the paths that draw it. */

/** @typedef {import('./layout.js').Point} Point */

const corner = 7;
const arrow = {length: 8, width: 3.5};

/**
 * Straight lines with rounded corners, up to where the arrow begins.
 *
 * @param {Point[]} points
 */
export const pathThrough = points => {
	const [first, ...rest] = points;
	if (!first) {
		return '';
	}

	let path = `M${first.x} ${first.y}`;
	for (const [index, point] of rest.entries()) {
		const before = /** @type {Point} */ (points[index]);
		const after = rest[index + 1];
		if (after) {
			const start = towards(point, before, corner);
			const end = towards(point, after, corner);
			path += `L${start.x} ${start.y}Q${point.x} ${point.y} ${end.x} ${end.y}`;
		} else {
			const end = towards(point, before, arrow.length - 1);
			path += `L${end.x} ${end.y}`;
		}
	}

	return path;
};

/**
 * The arrow at the end of the line.
 *
 * @param {Point[]} points
 */
export const arrowAt = points => {
	const [before, tip] = points.slice(-2);
	if (!before || !tip) {
		return '';
	}

	const foot = towards(tip, before, arrow.length);
	const across = {x: (tip.y - foot.y) / arrow.length * arrow.width, y: (foot.x - tip.x) / arrow.length * arrow.width};
	return `M${tip.x} ${tip.y}L${foot.x + across.x} ${foot.y + across.y}L${foot.x - across.x} ${foot.y - across.y}Z`;
};

/**
 * A point on the way from one to another, at most half of the way.
 *
 * @param {Point} from
 * @param {Point} to
 * @param {number} distance
 * @returns {Point}
 */
const towards = (from, to, distance) => {
	const length = Math.hypot(to.x - from.x, to.y - from.y);
	const share = length === 0 ? 0 : Math.min(distance / length, 0.5);
	return {x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share};
};
