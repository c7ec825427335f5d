// @ts-check
/** The sources since the validation: the part of each in the texts, in the present, and in its difference from the twins. */
import {getById, html} from '../dom.js';
import {formatChance, formatCount, formatShare} from '../format.js';
import {createDisclosure, listTexts, nameSource} from './entries.js';
import {askInstrument} from './instruments.js';
import {createShareBar} from './visit-chart.js';

/** @typedef {{source: string, texts: number, visits: number, text_share: number, weight_share: number, unusual_share: number | null, coherence: number | null, changed_p: number | null, echoes: number | null, others?: number}} Source */

const section = getById('shares', HTMLElement);

/** More cannot be overlooked. */
const maxSources = 12;

/** A p up to this says that a source talks otherwise than before. */
const maxChangedP = 0.01;

/**
 * Requests the sources, and shows them.
 *
 * @param {number} since The state that drift is measured from.
 * @param {(source: string) => void} onWithout Called when the user asks who I were without a source.
 */
export const refreshSources = async (since, onWithout) => {
	const answer = await askInstrument(section, 'sources');
	if (answer) {
		const sources = /** @type {Source[]} */ (answer.sources);
		const isKnown = sources.some(({unusual_share: share}) => share !== null);
		getById('shares-note', HTMLParagraphElement).textContent = isKnown
			? `The part of each source in the difference from the mean of the twins. A source is noticed at ${formatShare(answer.budget)}. It names influence, never intent.`
			: 'The part of each source in the weight that all texts have now. Whose texts differ from ordinary talk is known after a validation.';
		getById('shares-list', HTMLUListElement).replaceChildren(...sources.filter(({others}) => !others).slice(0, maxSources).map(source => createRow(source, since, onWithout)));
	}
};

/**
 * @param {Source} source
 * @param {number} since
 * @param {(source: string) => void} onWithout
 */
const createRow = (source, since, onWithout) => {
	const {source: name, weight_share: weight, unusual_share: unusual} = source;
	const without = html('button', {'type': 'button', 'class': 'small', 'aria-label': `Who would I be without ${nameSource(name)}?`}, 'Without?');
	without.addEventListener('click', () => onWithout(name));
	return html('li', {'data-source': name},
		createDisclosure(nameSource(name), () => listTexts(text => text.source === name, {since})),
		createShareBar(unusual ?? weight),
		html('span', {class: 'value'}, formatShare(unusual ?? weight)),
		without,
		html('small', {class: 'facts-of-source'}, describe(source)));
};

/** @param {Source} source */
const describe = ({texts, visits, text_share: textShare, weight_share: weight, changed_p: changed, echoes}) => [
	`${formatCount(texts, 'text')} in ${formatCount(visits, 'visit')}, ${formatShare(textShare)} of all; they weigh ${formatShare(weight)}`,
	changed !== null && `talks ${changed <= maxChangedP ? 'otherwise than' : 'as'} before the validation (${formatChance(changed)})`,
	echoes !== null && echoes > 0 && `${formatCount(echoes, 'text')} nearly my own words`,
].filter(Boolean).join(' · ');
