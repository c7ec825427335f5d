// @ts-check
/** Who I would be without some sources: the other self beside the present one. */
import {getById, html, replaceRows, whenNear} from '../dom.js';
import {formatAngle, formatChance, formatSigned} from '../format.js';
import {runOnce} from '../outcome.js';
import {formatCount, formatInteger, phrase} from '../phrase.js';
import {nameOf, nameSource} from './entries.js';
import {refreshHeld} from './held.js';
import {askInstrument} from './instruments.js';
import {readSources} from './ledger.js';
import {createPairRow} from './pair-row.js';
import {askToForget, askToUndo, listDecisions} from './revisions.js';

/** @typedef {{key: string, pole_positive: string, pole_negative: string, present: number, other: number, difference: number, z_difference: number | null}} Difference */

const section = getById('without', HTMLElement);
const choices = getById('sources', HTMLFieldSetElement);
const result = getById('other-self', HTMLElement);
const buttons = getById('with-ticked', HTMLElement);

/** @returns {string[]} the sources that are ticked */
const ticked = () => [...choices.querySelectorAll('input')].filter(({checked}) => checked).map(({value}) => value);

/** Requested sources that are too light for the list. @type {string[]} */
let lighter = [];

/**
 * Offers a box for each of the heaviest sources, and for those that are requested. Ticked boxes stay ticked.
 *
 * @param {string[]} [wanted]
 */
const offerSources = async (wanted = []) => {
	const entries = await readSources(section);
	const others = entries.find(({kind}) => kind === 'others');
	const sources = entries.filter(one => one !== others);
	const before = new Set(ticked());
	const known = new Set([...choices.querySelectorAll('input')].map(({value}) => value));
	const labels = new Map(sources.map(entry => [entry.key, `${nameOf(entry)} (${formatInteger(entry.texts)})`]));
	// If the list is complete, a source that it lacks has been undone or forgotten.
	lighter = others ? [...lighter.filter(name => before.has(name)), ...wanted].filter(name => !labels.has(name)) : [];
	for (const name of lighter) {
		labels.set(name, nameSource(name));
	}

	if (labels.size !== known.size || [...labels.keys()].some(name => !known.has(name))) {
		replaceRows(choices, html('legend', {}, phrase`Without the texts of`), ...[...labels].map(([name, label]) => html('label', {'class': 'check', 'data-source': name},
			html('input', {type: 'checkbox', value: name, checked: before.has(name)}), label)));
	}

	const rest = getById('other-sources', HTMLParagraphElement);
	rest.hidden = others === undefined;
	rest.textContent = others ? phrase`The lighter sources, of ${formatCount(others.texts, 'text')}, have no box: “processual ledger --by source --limit 1000” lists them, and “processual what-if --without-source NAME” leaves one out.` : '';

	getById('known-sources', HTMLDataListElement).replaceChildren(...sources.map(({key}) => html('option', {value: key})));
};

/** Ticks one source alone, and brings the answer into view. @param {string} source */
export const showWithout = async source => {
	section.scrollIntoView({block: 'start'});
	await offerSources([source]);
	for (const box of choices.querySelectorAll('input')) {
		box.checked = box.value === source;
		if (box.checked) {
			box.focus({preventScroll: true});
		}
	}

	await readOther();
};

/** Requests the other self, if a source is ticked, and draws it. */
const readOther = async () => {
	const sources = ticked();
	buttons.hidden = sources.length === 0;
	if (sources.length === 0) {
		result.replaceChildren(html('p', {class: 'quiet'}, phrase`Tick a source to see who I would be without it.`));
		return;
	}

	result.setAttribute('aria-busy', 'true');
	const answer = await askInstrument(section, 'what-if', {without: {sources}});
	result.removeAttribute('aria-busy');
	if (answer && sources.join() === ticked().join()) {
		result.replaceChildren(...describe(answer));
	}
};

const readChoices = whenNear(section, async () => {
	await offerSources();
	await Promise.all([readOther(), listDecisions()]);
});

/** Loaded separately, since it is below the first screen. */
const readHeld = whenNear(result, refreshHeld);

/** Loads the choices, the other self, the decisions and the held texts, each once it is near the window. */
export const refreshWhatIf = () => Promise.all([readChoices(), readHeld()]);

/** @param {{cycles: number, left_out: number, angle_mrad: number, p: number | null, directions: Difference[], words: string[]}} answer */
const describe = ({left_out: leftOut, angle_mrad: angle, p, directions, words}) => {
	const limit = Math.max(0.01, ...directions.flatMap(({present, other}) => [Math.abs(present), Math.abs(other)]));
	return [
		html('p', {}, [
			phrase`Without ${formatCount(leftOut, 'text')} I would be turned ${formatAngle(angle)} from who I am.`,
			p !== null && phrase`Chance alone does as much with ${formatChance(p)}.`,
		].filter(Boolean).join(' ')),
		...words.map(sentence => html('p', {}, sentence)),
		html('p', {class: 'quiet legend'}, html('span', {class: 'present-mark'}), phrase`I now`, html('span', {class: 'other-mark'}), phrase`the other self`),
		html('ul', {class: 'selves'}, ...directions.map(({present, other, difference, z_difference: z, ...direction}) => createPairRow(direction, {
			present: present / limit,
			other: other / limit,
			label: phrase`now ${formatSigned(present, 4)}, the other self ${formatSigned(other, 4)}`,
			reading: z === null ? formatSigned(difference, 4) : phrase`${formatSigned(z)} sd`,
		}))),
	];
};

export const connectWhatIf = () => {
	const revise = getById('revise', HTMLButtonElement);
	revise.addEventListener('click', () => {
		void runOnce(revise, getById('decide-outcome', HTMLOutputElement), () => askToUndo(ticked()));
	});
	getById('forget', HTMLButtonElement).addEventListener('click', () => askToForget({sources: ticked()}));
	choices.addEventListener('change', () => {
		void readOther();
	});
};
