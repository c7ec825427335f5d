// @ts-check
/** The profile: each direction between its two poles, with the positions of the state and the reference. */
import {describeError, requestJson} from './api.js';
import {getById, html, throttle} from './dom.js';
import {formatNumber} from './format.js';

/** @typedef {{value: number, dimension: string, pole_positive: string, pole_negative: string}} Entry */
/** @typedef {Record<string, Record<string, Entry>>} Profile */

/** @type {Map<string, {row: HTMLElement, value: HTMLElement, track: HTMLElement}>} */
const rows = new Map();

const refresh = async () => {
	const note = getById('profile-note', HTMLParagraphElement);
	try {
		const {profile, reference_profile: reference, reference_similarity: similarity} = await requestJson('GET', 'profile');
		const limit = limitOf([profile, reference]);
		note.textContent = `Dot: the state. Stroke: the reference. The scale ends at ±${limit}. Their similarity is ${formatNumber(similarity)}.`;
		show(profile, reference, limit);
	} catch (error) {
		note.textContent = describeError(error);
	}
};

/** Requests the profile and shows it, at most once in 400 ms. */
export const refreshProfile = throttle(() => {
	void refresh();
}, 400);

/**
 * The end of the scale: the largest absolute value, rounded up.
 *
 * @param {Profile[]} profiles
 */
const limitOf = profiles => {
	const values = profiles.flatMap(profile => Object.values(profile)).flatMap(entries => Object.values(entries)).map(({value}) => Math.abs(value));
	const largest = Math.max(0.01, ...values);
	const step = 10 ** Math.floor(Math.log10(largest));
	return Number((Math.ceil(largest / step) * step).toPrecision(2));
};

/**
 * @param {Profile} profile
 * @param {Profile} reference
 * @param {number} limit
 */
const show = (profile, reference, limit) => {
	/** @param {number} value */
	const positionOf = value => String((value / limit + 1) / 2);
	for (const [category, entries] of Object.entries(profile)) {
		for (const [name, entry] of Object.entries(entries)) {
			const {row, value, track} = rows.get(`${category}.${name}`) ?? addRow(category, name, entry);
			const referenceValue = reference[category]?.[name]?.value ?? 0;
			row.style.setProperty('--state', positionOf(entry.value));
			row.style.setProperty('--reference', positionOf(referenceValue));
			value.textContent = toDecimal(entry.value);
			track.setAttribute('aria-label', `${name}: ${toDecimal(entry.value)}, the reference ${toDecimal(referenceValue)}`);
		}
	}
};

/** @param {number} value The service rounds to 4 decimals. */
const toDecimal = value => value.toFixed(4).replace('-', '−');

/**
 * @param {string} category
 * @param {string} name
 * @param {Entry} entry
 */
const addRow = (category, name, {dimension, pole_negative: negative, pole_positive: positive}) => {
	const track = html('span', {class: 'track', role: 'img'});
	const value = html('span', {class: 'value'});
	const row = html('li', {'title': name, 'data-direction': `${category}.${name}`}, html('span', {class: 'negative'}, negative), track, html('span', {class: 'positive'}, positive), value);
	getList(category, dimension).append(row);
	rows.set(`${category}.${name}`, {row, value, track});
	return {row, value, track};
};

/**
 * The list of a category; created on first use.
 *
 * @param {string} category
 * @param {string} dimension
 * @returns {HTMLElement}
 */
const getList = (category, dimension) => {
	const id = `category-${category}`;
	const existing = document.getElementById(id);
	if (existing) {
		return existing;
	}

	const parent = getById('profile', HTMLDivElement);
	const list = html('ul', {id});
	parent.append(html('details', {class: 'category', open: parent.childElementCount === 0}, html('summary', {}, html('span', {}, category), html('span', {class: 'dimension'}, dimension)), list));
	return list;
};
