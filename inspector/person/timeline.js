// @ts-check
/**
 * How I came here, over time: how far thirdness turned, what is left of the beginning, how dissonant each text was, and the
 * chart of conversations since a validation. A click or the slider selects one moment, which is shown with its text.
 */
import {getById, html} from '../dom.js';
import {formatAngle, formatDate, formatNumber, formatPercentile, isolate, toTimes} from '../format.js';
import {formatCount, phrase, phraseParts} from '../phrase.js';
import {word} from '../words.js';
import {askInstrument, toQuery} from './instruments.js';
import {createPlot} from './plot.js';
import {describeDecision, readDecisions} from './revisions.js';

/** @typedef {{state_id: number, timestamp: string, net_mrad: number, path_mrad: number, beginning_left: number, push: number, dissonance: number | null, dissonance_percentile: number | null, id: string | null, source: string | null, content: string | null, chart: {span: number, reading: number, limit: number}[] | null}} Point */

/** More points could not be told apart. */
const maxPoints = 200;

const section = getById('timeline', HTMLElement);
const slider = getById('moment', HTMLInputElement);
const reading = getById('moment-reading', HTMLElement);
const wholeHistory = getById('whole-life', HTMLButtonElement);

/** @type {Point[]} */
let points = [];
/** The decisions within the time that is shown. @type {import('./revisions.js').Revision[]} */
let decisions = [];
/** @type {number | null} */
let selected = null;
/** The states that are shown; null for the whole history. @type {{since: number, until: number} | null} */
let stretch = null;

/** A reading of the chart of conversations as a multiple of its limit; null before there is one. @param {number} index Of its span. */
const readingOf = index => (/** @type {Point} */ {chart}) => {
	const ofSpan = chart?.[index];
	return ofSpan ? ofSpan.reading / ofSpan.limit : null;
};

/** @type {{title: (Node | string)[], values: ((point: Point) => number | null)[], colours: string[], label: string, areDots?: boolean, hasBand?: boolean}[]} */
const curves = [
	{title: phraseParts`Turned from the beginning, in ${word('mrad')}`, values: [point => point.net_mrad], colours: ['--curve'], label: phrase`The angle from the beginning`},
	{title: phraseParts`${word('weight', phrase`Weights`)} of the ${html('span', {class: 'of-beginning'}, phrase`beginning`)} and of the rule’s own ${html('span', {class: 'of-push'}, word('push', phrase`push`))}`, values: [point => point.beginning_left, point => point.push], colours: ['--beginning', '--push'], label: phrase`The weights of the beginning and of the push`},
	{title: phraseParts`Readings of the chart of ${word('conversation', phrase`conversations`)}, in limits: over ${html('span', {class: 'of-few'}, phrase`few`)} and over ${html('span', {class: 'of-many'}, phrase`many`)}`, values: [readingOf(0), readingOf(1)], colours: ['--hue-3', '--hue-0'], label: phrase`The readings of the chart of conversations`, hasBand: true},
	{title: phraseParts`${word('dissonance', phrase`Dissonance`)} of each text`, values: [point => point.dissonance], colours: ['--curve'], label: phrase`The dissonance of each text`, areDots: true},
];

/** @param {string} timestamp */
const toSeconds = timestamp => Date.parse(timestamp) / 1000;

const plots = curves.map(({title, values, colours, label, areDots = false, hasBand = false}, index) => {
	const host = html('div', {class: 'plot', role: 'img'});
	const heading = html('p', {class: 'curve-title'}, ...title);
	getById('curves', HTMLDivElement).append(heading, host);
	return {values, label, host, heading, plot: createPlot(host, {
		colours,
		areDots,
		hasBand,
		hasTimes: index === curves.length - 1,
		group: 'timeline',
		selected: () => selected,
		marks: () => decisions.map(({timestamp}) => toSeconds(timestamp)),
		onPoint: select,
		onHover: hovered => showMoment(hovered ?? selected),
		onStretch(first, last) {
			void showStretch({since: points[first]?.state_id ?? 0, until: points[last]?.state_id ?? 0});
		},
	})};
});

/** Requests the whole history, or the chosen stretch of it. */
export async function refreshTimeline() {
	const wanted = stretch;
	const [history, decided] = await Promise.all([
		askInstrument(section, `history?${toQuery({points: maxPoints, ...wanted})}`),
		readDecisions(),
	]);
	if (wanted !== stretch) {
		return;
	}

	if (!history) {
		// A stretch that no longer exists, for example after a reset, must not hide the rest.
		stretch = null;
		if (wanted !== null) {
			await refreshTimeline();
		}

		return;
	}

	const wasLast = selected === null || selected === points.length - 1;
	points = /** @type {Point[]} */ (history.points);
	// The whole history shows all decisions, whatever their times: the clock may have been set back.
	decisions = decided.filter(({timestamp}) => wanted === null || (timestamp >= (points[0]?.timestamp ?? '') && timestamp <= (points.at(-1)?.timestamp ?? '')));
	const times = toTimes(points);
	wholeHistory.hidden = stretch === null;
	slider.max = String(Math.max(0, points.length - 1));
	for (const {plot, values, host, heading, label} of plots) {
		const lines = values.map(valueOf => points.map(valueOf));
		plot.setData(/** @type {any} */ ([times, ...lines]));
		host.hidden = heading.hidden = lines.flat().every(value => value === null);
		host.setAttribute('aria-label', phrase`${label}, over ${formatCount(points.length, 'state')}`);
	}

	getById('timeline-note', HTMLParagraphElement).textContent = describeSpan(points, times);
	const rows = [...points.map((point, index) => ({at: point.timestamp, row: createRow(point, index)})), ...decisions.map(decision => ({at: decision.timestamp, row: createDecisionRow(decision)}))];
	getById('texts', HTMLTableSectionElement).replaceChildren(...rows.toReversed().toSorted((one, other) => other.at.localeCompare(one.at)).map(({row}) => row));
	select(wasLast ? points.length - 1 : Math.min(selected ?? 0, points.length - 1));
}

/** Shows the stretch that the user asked for, which may take seconds. @param {typeof stretch} wanted */
const showStretch = async wanted => {
	stretch = wanted;
	section.setAttribute('aria-busy', 'true');
	getById('timeline-note', HTMLParagraphElement).textContent = phrase`Loading …`;
	await refreshTimeline();
	section.removeAttribute('aria-busy');
};

/**
 * @param {Point[]} shown
 * @param {number[]} times Where they are on the axis.
 */
const describeSpan = (shown, times) => {
	const [first, last] = [shown[0], shown.at(-1)];
	const [since = 0, until = 0] = [times[0], times.at(-1)];
	return first && last ? [
		phrase`State ${first.state_id} to ${last.state_id}, ${formatDate(since * 1000)} to ${formatDate(until * 1000)}. Click a moment to read its text; drag over a stretch to look closer.`,
		first.state_id > 0 && phrase`Here the beginning is state ${first.state_id}: the turn and the weights are counted from there.`,
		decisions.length > 0 && phrase`A dashed line is a decision about texts; the list names it.`,
	].filter(Boolean).join(' ') : '';
};

/** @param {number} index */
function select(index) {
	selected = index;
	slider.value = String(index);
	for (const {plot} of plots) {
		plot.redraw(false, false);
	}

	showMoment(index);
}

/** @param {number | null} index */
function showMoment(index) {
	const point = index === null ? undefined : points[index];
	if (point) {
		slider.setAttribute('aria-valuetext', `${formatDate(point.timestamp)}, ${point.source ?? phrase`the beginning`}: ${textOf(point)}`);
		reading.replaceChildren(
			html('p', {class: 'quiet'}, `${formatDate(point.timestamp)} · ${phrase`state ${point.state_id}`}${point.source === null ? '' : ` · ${isolate(point.source)}`}`),
			html('blockquote', {}, textOf(point)),
			html('p', {class: 'quiet'}, describePoint(point, points[0]?.state_id ?? 0)),
		);
	}
}

/** @param {Point} point */
const textOf = ({id, content}) => content ?? (id === null ? phrase`Here it begins.` : phrase`The journal keeps only the hash of this text.`);

/**
 * @param {Point} point
 * @param {number} since The state that the angle is counted from.
 */
const describePoint = ({net_mrad: net, dissonance, dissonance_percentile: percentile}, since) => [
	since > 0 ? phrase`Turned ${formatAngle(net)} since state ${since}.` : phrase`Turned ${formatAngle(net)} so far.`,
	dissonance !== null && (percentile === null
		? phrase`Dissonance ${formatNumber(dissonance)}.`
		: phrase`Dissonance ${formatNumber(dissonance)}, above ${formatPercentile(percentile)} of the texts before it.`),
].filter(Boolean).join(' ');

/**
 * @param {Point} point
 * @param {number} index
 */
const createRow = (point, index) => {
	const button = html('button', {type: 'button', class: 'plain'}, textOf(point));
	button.addEventListener('click', () => select(index));
	return html('tr', {}, html('td', {}, formatDate(point.timestamp)), html('td', {}, point.source ?? '–'), html('td', {}, point.dissonance_percentile === null ? '–' : formatPercentile(point.dissonance_percentile)), html('th', {scope: 'row'}, button));
};

/** @param {import('./revisions.js').Revision} decision */
const createDecisionRow = decision => html('tr', {class: 'quiet'}, html('td', {}, formatDate(decision.timestamp)), html('td', {}, decision.by ?? '–'), html('td', {}, '–'), html('th', {scope: 'row'}, phrase`${describeDecision(decision)}. “${decision.note}”`));

export const connectTimeline = () => {
	slider.addEventListener('input', () => select(Number(slider.value)));
	const closer = getById('closer', HTMLButtonElement);
	wholeHistory.addEventListener('click', () => {
		// The button is about to be hidden, and would lose the keyboard's focus.
		closer.focus();
		void showStretch(null);
	});
	closer.addEventListener('click', () => {
		const middle = points[selected ?? points.length - 1]?.state_id ?? 0;
		void showStretch({
			since: Math.max(points[0]?.state_id ?? 0, middle - maxPoints / 2 + 1),
			until: Math.min(points.at(-1)?.state_id ?? 0, middle + maxPoints / 2),
		});
	});
};
