// @ts-check
/** The sources since the validation: the share of each in the texts heard, in the present, and in the difference from ordinary talk. */
import {createButton, getById, html, replaceRows} from '../dom.js';
import {formatChance, formatShare} from '../format.js';
import {formatCount, phrase} from '../phrase.js';
import {createShareBar, maxRows} from './conversation-chart.js';
import {createDisclosure, listTexts, nameSource, sumOf} from './entries.js';
import {askInstrument} from './instruments.js';
import {maxChanceP} from './voice.js';

/** @typedef {{source: string, texts: number, conversations: number, text_share: number, weight_share: number, share: number | null, push: number | null, p: number | null, coherence: number | null, changed_p: number | null, uptake_p: number | null, echoes: number | null, others?: number}} Source */

const section = getById('shares', HTMLElement);

/**
 * Requests the sources, and shows them.
 *
 * @param {import('./drift.js').Drift} drift
 * @param {(source: string) => void} onWithout Called when the user asks who I would be without a source.
 */
export const refreshSources = async ({since, p_without_top_source: without}, onWithout) => {
	const answer = await askInstrument(section, 'sources');
	if (answer) {
		const sources = /** @type {Source[]} */ (answer.sources);
		getById('shares-note', HTMLParagraphElement).textContent = describeAll(sources, without);
		replaceRows(getById('shares-list', HTMLUListElement),
			...sources.filter(({others}) => !others).slice(0, maxRows).map(source => createRow(source, since.state_id, onWithout)),
			...createRest(sources.filter(({others}, index) => others || index >= maxRows)));
	}
};

/**
 * @param {Source[]} sources The largest push first.
 * @param {number | null} without p without the first of them.
 */
const describeAll = ([first], without) => {
	if (first?.share == null) {
		return phrase`The part of each source in the weight that all texts have now. Sources are said to lead away from ordinary talk only if chance does not explain it.`;
	}

	return without === null
		? phrase`The part of each source in the difference from ordinary talk, the strongest push first. No one source explains it. It names influence, never intent.`
		: phrase`The part of each source in the difference from ordinary talk, the strongest push first. Without the texts of ${nameSource(first.source)}: ${formatChance(without)}. It names influence, never intent.`;
};

/**
 * @param {Source} source
 * @param {number} since
 * @param {(source: string) => void} onWithout
 */
const createRow = (source, since, onWithout) => {
	const {source: name, weight_share: weight, share} = source;
	return html('li', {'data-source': name},
		createDisclosure(nameSource(name), () => listTexts(text => text.source === name, {since})),
		createShareBar(share ?? weight),
		html('span', {class: 'value'}, formatShare(share ?? weight)),
		createButton(phrase`Without?`, () => onWithout(name), phrase`Who would I be without ${nameSource(name)}?`),
		html('small', {class: 'facts-of-source'}, describe(source)));
};

/** Sums up the sources that are not listed, and says what lists them. @param {Source[]} rest */
const createRest = rest => {
	const count = sumOf(rest, ({others = 1}) => others);
	return count === 0 ? [] : [html('li', {}, html('small', {class: 'facts-of-source'}, phrase`${formatCount(count, 'other')} weigh ${formatShare(sumOf(rest, source => source.weight_share))}; the command “processual sources” lists more of them.`))];
};

/** @param {Source} source */
const describe = ({texts, conversations, text_share: textShare, weight_share: weight, p, changed_p: changed, uptake_p: uptake, echoes}) => [
	phrase`${formatCount(texts, 'text')} in ${formatCount(conversations, 'conversation')}, ${formatShare(textShare)} of all; they weigh ${formatShare(weight)}`,
	p !== null && (p <= maxChanceP ? phrase`pushes more than any one does by chance (${formatChance(p)})` : phrase`pushes no more than chance (${formatChance(p)})`),
	changed !== null && (changed <= maxChanceP ? phrase`talks differently than before the validation (${formatChance(changed)})` : phrase`talks as before the validation (${formatChance(changed)})`),
	uptake !== null && (uptake <= maxChanceP ? phrase`heard → said: in other conversations I speak more like them than before (${formatChance(uptake)})` : phrase`heard → said: in other conversations I speak as before (${formatChance(uptake)})`),
	echoes !== null && echoes > 0 && phrase`${formatCount(echoes, 'text')} nearly my own words`,
].filter(Boolean).join(' · ');
