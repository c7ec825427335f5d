// @ts-check
/** How far each dimension lies from the reference: bars on a logarithmic scale. */
import {byId, html} from './dom.js';
import {figure} from './format.js';

/** What the scale reaches from, in powers of ten; it ends at 1, and what is beyond stays at the end. */
const least = -7;

/** Beyond this a dimension counts as drifting. */
const drifting = 0.05;

/** @param {number} distance @returns {number} 0 to 1 */
const placeOf = distance => distance <= 0 ? 0 : Math.max(0, Math.min(1, 1 - Math.log10(distance) / least));

/** @type {Map<string, {row: HTMLElement, value: HTMLElement}>} */
const rows = new Map();

/** @param {Record<string, number>} distances */
export const showDistances = distances => {
	const list = byId('distances', HTMLUListElement);
	list.style.setProperty('--limit', String(placeOf(drifting)));
	for (const [dimension, distance] of Object.entries(distances)) {
		const {row, value} = rows.get(dimension) ?? addRow(list, dimension);
		row.style.setProperty('--reach', String(placeOf(distance)));
		row.classList.toggle('drifting', distance > drifting);
		value.textContent = figure(Math.max(0, distance));
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
