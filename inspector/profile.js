// @ts-check
/** The profile: each direction between its two poles, with the state's place and the reference's. */
import {ask, Refusal} from './api.js';
import {byId, html, soon} from './dom.js';
import {figure} from './format.js';

/** @typedef {{value: number, dimension: string, pole_positive: string, pole_negative: string}} Entry */
/** @typedef {Record<string, Record<string, Entry>>} Profile */

/** @type {Map<string, {row: HTMLElement, value: HTMLElement, track: HTMLElement}>} */
const rows = new Map();

/** Asks for the profile and shows it. */
const refresh = async () => {
	const note = byId('profile-note', HTMLParagraphElement);
	try {
		const {profile, reference_profile: reference, reference_similarity: similarity} = await ask('GET', 'profile');
		const edge = edgeOf([profile, reference]);
		note.textContent = `Dot: the state. Stroke: the reference. The edges are at ±${edge}. Their similarity is ${figure(similarity)}.`;
		show(profile, reference, edge);
	} catch (error) {
		note.textContent = error instanceof Refusal ? error.message : 'The service cannot be reached.';
	}
};

/** Shows the profile anew, soon. */
export const refreshProfile = soon(() => {
	void refresh();
}, 400);

/**
 * What the tracks reach to: the largest value, rounded up.
 *
 * @param {Profile[]} profiles
 */
const edgeOf = profiles => {
	const values = profiles.flatMap(profile => Object.values(profile)).flatMap(entries => Object.values(entries)).map(({value}) => Math.abs(value));
	const largest = Math.max(0.01, ...values);
	const step = 10 ** Math.floor(Math.log10(largest));
	return Number((Math.ceil(largest / step) * step).toPrecision(2));
};

/**
 * @param {Profile} profile
 * @param {Profile} reference
 * @param {number} edge
 */
const show = (profile, reference, edge) => {
	/** @param {number} value */
	const place = value => String((value / edge + 1) / 2);
	for (const [category, entries] of Object.entries(profile)) {
		for (const [name, entry] of Object.entries(entries)) {
			const {row, value, track} = rows.get(`${category}.${name}`) ?? addRow(category, name, entry);
			const kept = reference[category]?.[name]?.value ?? 0;
			row.style.setProperty('--state', place(entry.value));
			row.style.setProperty('--reference', place(kept));
			value.textContent = decimal(entry.value);
			track.setAttribute('aria-label', `${name}: ${decimal(entry.value)}, the reference ${decimal(kept)}`);
		}
	}
};

/** @param {number} value The service rounds to 4 decimals. */
const decimal = value => value.toFixed(4).replace('-', '−');

/**
 * @param {string} category
 * @param {string} name
 * @param {Entry} entry
 */
const addRow = (category, name, {dimension, pole_negative: negative, pole_positive: positive}) => {
	const track = html('span', {class: 'track', role: 'img'});
	const value = html('span', {class: 'value'});
	const row = html('li', {'title': name, 'data-direction': `${category}.${name}`}, html('span', {class: 'negative'}, negative), track, html('span', {class: 'positive'}, positive), value);
	listOf(category, dimension).append(row);
	rows.set(`${category}.${name}`, {row, value, track});
	return {row, value, track};
};

/**
 * @param {string} category
 * @param {string} dimension
 * @returns {HTMLElement}
 */
const listOf = (category, dimension) => {
	const id = `category-${category}`;
	const known = document.getElementById(id);
	if (known) {
		return known;
	}

	const place = byId('profile', HTMLDivElement);
	const list = html('ul', {id});
	place.append(html('details', {class: 'category', open: place.childElementCount === 0}, html('summary', {}, html('span', {}, category), html('span', {class: 'dimension'}, dimension)), list));
	return list;
};
