// @ts-check
/**
 * Why a direction has its value: starting from zero, each part of the ledger adds its share, until
 * the sum is the value. A click on a part shows its texts.
 */
import {getById, html, replaceRows, whenNear} from '../dom.js';
import {formatSigned} from '../format.js';
import {phrase, translated} from '../phrase.js';
import {createExplainer} from './entries.js';
import {askInstrument, toQuery} from './instruments.js';
import {refreshSince} from './since.js';

/** @typedef {import('./entries.js').Entry} Entry */
/** @typedef {import('./entries.js').Grouping} Grouping */
/** @typedef {import('./direction-row.js').Direction} Direction */

const section = getById('waterfall', HTMLElement);
const direction = getById('waterfall-direction', HTMLSelectElement);
const by = getById('waterfall-by', HTMLSelectElement);

const maxEntries = 12;

/** Offers these directions; the strongest is chosen at first. @param {Direction[]} directions */
export const offerDirections = directions => {
	if (direction.options.length === 0) {
		for (const [category, entries = []] of Object.entries(Object.groupBy(directions, one => one.category))) {
			direction.append(html('optgroup', {label: translated(category)}, ...entries.map(({key, pole_negative: negative, pole_positive: positive}) => html('option', {value: key}, `${negative} – ${positive}`))));
		}

		const [strongest] = directions.toSorted((one, other) => Math.abs(other.z ?? 0) - Math.abs(one.z ?? 0));
		direction.value = strongest?.key ?? '';
		section.hidden = getById('since', HTMLElement).hidden = direction.value === '';
	}
};

/** Requests the parts of the chosen direction's value, and draws them. */
const readWaterfall = async () => {
	const view = {direction: direction.value, lens: 'thirdness'};
	const grouping = /** @type {Grouping} */ (by.value);
	const ledger = direction.value === '' ? null : await askInstrument(section, `ledger?${toQuery({by: grouping, limit: maxEntries, ...view})}`);
	if (ledger) {
		draw(ledger.entries, ledger.value ?? 0, grouping, () => view);
		await refreshSince(view.direction);
	}
};

/** As {@link readWaterfall}, but once the section is near the window. */
export const refreshWaterfall = whenNear(section, readWaterfall);

/**
 * @param {Entry[]} entries
 * @param {number} value
 * @param {Grouping} grouping
 * @param {() => {direction: string, lens: string}} viewOf
 */
const draw = (entries, value, grouping, viewOf) => {
	let sum = 0;
	const steps = entries.map(entry => ({entry, from: sum, to: sum += entry.part ?? 0}));
	const places = [0, value, ...steps.map(({to}) => to)];
	const [low, high] = [Math.min(...places), Math.max(...places)];
	/** @param {number} place */
	const positionOf = place => (place - low) / (high - low || 1);
	/**
	 * @param {number} from
	 * @param {number} to
	 * @param {string} kind
	 */
	const bar = (from, to, kind) => {
		const element = html('span', {'class': `fall ${kind} ${to < from ? 'down' : 'up'}`, 'aria-hidden': 'true'});
		element.style.setProperty('--from', String(positionOf(Math.min(from, to))));
		element.style.setProperty('--to', String(positionOf(Math.max(from, to))));
		element.style.setProperty('--nought', String(positionOf(0)));
		return element;
	};
	replaceRows(getById('waterfall-parts', HTMLUListElement),
		...steps.map(({entry, from, to}) => html('li', {'data-entry': entry.key}, createExplainer(entry, grouping, viewOf), bar(from, to, entry.kind), html('span', {class: 'value'}, formatSigned(to - from, 4)))),
		html('li', {class: 'sum'}, html('strong', {}, phrase`The value now`), bar(0, value, 'sum'), html('strong', {class: 'value'}, formatSigned(value, 4))));
};

/** Chooses a direction, shows why it has its value, and brings that into view. @param {string} key */
export const showWhy = key => {
	direction.value = key;
	void readWaterfall();
	section.scrollIntoView({block: 'start'});
	direction.focus({preventScroll: true});
};

export const connectWaterfall = () => {
	for (const select of [direction, by]) {
		select.addEventListener('change', () => {
			void readWaterfall();
		});
	}
};
