// @ts-check
/** What I am made of: the ledger as one stacked bar, and its parts in a list. */
import {createButton, getById, html, replaceRows} from '../dom.js';
import {formatShare} from '../format.js';
import {formatCount, phrase, phraseParts} from '../phrase.js';
import {word} from '../words.js';
import {classOf, createExplainer, joinOthers, nameOf, sumOf} from './entries.js';
import {askInstrument, toQuery} from './instruments.js';

/** @typedef {import('./entries.js').Entry} Entry */
/** @typedef {import('./entries.js').Grouping} Grouping */

const section = getById('ledger', HTMLElement);
const by = getById('ledger-by', HTMLSelectElement);

const maxEntries = 12;

/** More sources could not be taken in at a glance. */
const maxSources = 40;

/** The entries of the last answer if it was grouped by source: other sections use them too. @type {Entry[] | null} */
let bySource = null;

/** @param {HTMLElement} asker @param {Grouping} grouping @returns {Promise<any>} */
const askLedger = async (asker, grouping) => {
	const ledger = await askInstrument(asker, `ledger?${toQuery({by: grouping, limit: grouping === 'source' ? maxSources : maxEntries})}`);
	bySource = grouping === 'source' ? ledger?.entries ?? null : null;
	return ledger;
};

/**
 * The sources, and the sum of the lighter ones: of the last answer, or requested if that was grouped otherwise.
 *
 * @param {HTMLElement} asker The section that shows why there are none.
 * @returns {Promise<Entry[]>}
 */
export const readSources = async asker => {
	const entries = bySource ?? (await askLedger(asker, 'source'))?.entries ?? [];
	return /** @type {Entry[]} */ (entries).filter(({kind}) => kind === 'texts' || kind === 'others');
};

/** @param {Entry[]} others @returns {Entry} */
const sumUp = others => ({key: 'others', kind: 'others', texts: sumOf(others, ({texts}) => texts), share: sumOf(others, ({share}) => share), part: null});

/** Requests the ledger and shows it. @param {(source: string) => void} onWithout Called when the user asks who I would be without a source. */
export const refreshLedger = async onWithout => {
	const grouping = /** @type {Grouping} */ (by.value);
	const ledger = await askLedger(section, grouping);
	if (ledger) {
		getById('ledger-note', HTMLParagraphElement).replaceChildren(...describe(ledger));
		const entries = joinOthers(ledger.entries, maxEntries, sumUp).map((entry, index) => ({entry, colour: `${classOf(entry)} hue-${index % 8}`}));
		getById('ledger-bar', HTMLElement).replaceChildren(...entries.map(({entry, colour}) => {
			const segment = html('span', {class: colour, title: `${nameOf(entry)}: ${formatShare(entry.share)}`});
			segment.style.flexGrow = String(entry.share);
			return segment;
		}));
		replaceRows(getById('ledger-entries', HTMLUListElement), ...entries.map(({entry, colour}) => createRow(entry, colour, grouping, onWithout)));
	}
};

/** @param {{state_id: number, cycles: number, half_life_cycles: number | null, note: string | null}} ledger */
const describe = ({state_id: stateId, cycles, half_life_cycles: halfLife, note}) => [
	phrase`State ${stateId} is made of its beginning and ${formatCount(cycles, 'text')}.`,
	...(halfLife === null ? [] : [' ', ...phraseParts`The ${word('half-life', phrase`half-life`)} of a text is ${formatCount(Math.round(halfLife), 'cycle')}.`]),
	note ? ` ${note}` : '',
];

/**
 * @param {Entry} entry
 * @param {string} colour
 * @param {Grouping} grouping
 * @param {(source: string) => void} onWithout
 */
const createRow = (entry, colour, grouping, onWithout) => {
	const isSource = entry.kind === 'texts' && grouping === 'source';
	return html('li', {'data-entry': entry.key},
		html('span', {class: `swatch ${colour}`}),
		createExplainer(entry, grouping, () => ({})),
		html('span', {class: 'value'}, formatShare(entry.share)),
		html('small', {class: 'quiet'}, entry.kind !== 'others' && entry.texts > 1 ? formatCount(entry.texts, 'text') : ''),
		...(isSource ? [createButton(phrase`Without?`, () => onWithout(entry.key), phrase`Who would I be without ${nameOf(entry)}?`)] : []));
};

/** @param {(source: string) => void} onWithout */
export const connectLedger = onWithout => {
	by.addEventListener('change', () => {
		void refreshLedger(onWithout);
	});
};
