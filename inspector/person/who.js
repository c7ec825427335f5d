// @ts-check
/** Who am I now: first what stands out, in words and with units, then all directions by category. */
import {requestJson} from '../api.js';
import {getById, html, replaceRows} from '../dom.js';
import {formatNumber} from '../format.js';
import {runOnce} from '../outcome.js';
import {phrase, translated} from '../phrase.js';
import {createDirectionRow} from './direction-row.js';
import {askInstrument} from './instruments.js';
import {offerDirections, showWhy} from './waterfall.js';

/** @typedef {import('./direction-row.js').Direction} Direction */

const section = getById('who', HTMLElement);
const lens = getById('lens', HTMLSelectElement);

const maxStandouts = 12;

/** @param {Direction} direction */
const sizeOf = ({z}) => Math.abs(z ?? 0);

/** Requests the profile with units, and shows it. */
export const refreshWho = async () => {
	const asked = lens.value;
	const profile = await askInstrument(section, `profile/scaled?lens=${asked}`);
	if (profile && asked === lens.value) {
		show(profile);
	}
};

/** @param {{begun_at_random: boolean, note: string | null, directions: Direction[]}} profile */
const show = ({begun_at_random: isRandom, note, directions}) => {
	getById('random', HTMLParagraphElement).hidden = !isRandom;
	const standouts = directions.filter(({word}) => word === 'leaning' || word === 'strong').toSorted((one, other) => sizeOf(other) - sizeOf(one));
	getById('who-words', HTMLParagraphElement).textContent = putIntoWords(standouts, directions);
	getById('who-note', HTMLElement).textContent = note ?? (standouts.length > maxStandouts
		? phrase`${standouts.length} of ${directions.length} directions differ from chance; these are the strongest ${maxStandouts}. An ordinary sentence differs on about a third of them.`
		: phrase`${standouts.length} of ${directions.length} directions differ from chance. An ordinary sentence differs on about a third of them.`);
	fill(getById('standouts', HTMLUListElement), standouts.slice(0, maxStandouts));
	offerDirections(directions);
	const categories = Object.entries(Object.groupBy(directions, ({category}) => category));
	const parent = getById('all-directions', HTMLElement);
	for (const [category, entries = []] of categories) {
		fill(listOf(parent, category), entries);
	}
};

/**
 * @param {Direction[]} standouts The strongest first.
 * @param {Direction[]} directions All of them.
 */
const putIntoWords = (standouts, directions) => {
	if (directions.length === 0) {
		return phrase`No directions are loaded, so there is nothing to compare with.`;
	}

	if (directions.every(({word}) => word === null)) {
		return '';
	}

	// Directions of different categories may share a pole.
	const polesOf = (/** @type {'strong' | 'leaning'} */ wanted) => [...new Set(standouts.filter(({word}) => word === wanted).map(({pole}) => pole))].slice(0, 6).join(', ');
	const [strong, leaning] = [polesOf('strong'), polesOf('leaning')];
	return [strong && phrase`Strongly ${strong}.`, leaning && phrase`Leaning towards ${leaning}.`].filter(Boolean).join(' ') || phrase`Nothing stands out.`;
};

/**
 * @param {HTMLElement} list
 * @param {Direction[]} directions
 */
const fill = (list, directions) => replaceRows(list, ...directions.map(direction => createDirectionRow(direction, showWhy)));

/**
 * The list of a category; created on first use.
 *
 * @param {HTMLElement} parent
 * @param {string} category
 */
const listOf = (parent, category) => {
	const id = `category-${category}`;
	const existing = document.getElementById(id);
	if (existing) {
		return existing;
	}

	const list = html('ul', {id, class: 'directions'});
	parent.append(html('h4', {}, translated(category)), list);
	return list;
};

const connectTranslate = () => {
	const button = getById('translate', HTMLButtonElement);
	const outcome = getById('translation', HTMLOutputElement);
	const words = getById('words', HTMLQuoteElement);
	button.addEventListener('click', () => {
		void runOnce(button, outcome, async () => {
			outcome.textContent = phrase`Translating …`;
			words.hidden = true;
			const {text, faithfulness} = await requestJson('POST', 'translate', {});
			outcome.textContent = typeof faithfulness === 'number' ? phrase`In words, with a faithfulness of ${formatNumber(faithfulness)}:` : phrase`In words:`;
			words.replaceChildren(html('p', {}, text));
			words.hidden = false;
		});
	});
};

export const connectWho = () => {
	lens.addEventListener('change', () => {
		void refreshWho();
	});
	connectTranslate();
};

/** Shows what the service says about how the identity began. @param {string} text Empty for nothing. */
export const showBeginning = text => {
	const element = getById('beginning', HTMLParagraphElement);
	element.textContent = text.split(/(?<=\.) (?=[A-Z])/).map(translated).join(' ');
	element.hidden = text === '';
};
