// @ts-check
/** The distance of each dimension from the reference: bars on a logarithmic scale. */
import {getById, html} from './dom.js';
import {formatNumber} from './format.js';

/** The scale's start, as a power of ten; it ends at 1, and larger distances stay at the end. */
const minExponent = -7;

/** A dimension beyond this distance is drifting. */
const driftLimit = 0.05;

/** @param {number} distance @returns {number} 0 to 1 */
const positionOf = distance => distance <= 0 ? 0 : Math.max(0, Math.min(1, 1 - Math.log10(distance) / minExponent));

/** @type {Map<string, {row: HTMLElement, value: HTMLElement}>} */
const rows = new Map();

/** @param {Record<string, number>} distances */
export const showDistances = distances => {
	const list = getById('distances', HTMLUListElement);
	list.style.setProperty('--limit', String(positionOf(driftLimit)));
	for (const [dimension, distance] of Object.entries(distances)) {
		const {row, value} = rows.get(dimension) ?? addRow(list, dimension);
		row.style.setProperty('--reach', String(positionOf(distance)));
		row.classList.toggle('drifting', distance > driftLimit);
		value.textContent = formatNumber(Math.max(0, distance));
	}
};

/**
 * @param {HTMLElement} list
 * @param {string} dimension
 */
const addRow = (list, dimension) => {
	const value = html('span', {class: 'value'});
	const row = html('li', {'data-dimension': dimension}, html('span', {class: 'name'}, dimension), html('span', {class: 'bar'}), value);
	list.append(row);
	rows.set(dimension, {row, value});
	return {row, value};
};
