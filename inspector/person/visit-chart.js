// @ts-check
/** The visit chart: its readings beside their limits, and whose visits made them. */
import {getById, html} from '../dom.js';
import {formatCount, formatShare} from '../format.js';
import {createDisclosure, listTexts, nameSource} from './entries.js';

/** @typedef {{calibrated: boolean, visits: number, readings: {span: number, reading: number, limit: number}[], average_run_length: number, alarm: boolean, blame: {source: string, share: number, texts: number, ids: string[]}[], note: string | null}} VisitChart */

const section = getById('visit-chart', HTMLElement);

/** The end of the scale, in limits. */
const maxReading = 1.5;

/**
 * @param {VisitChart | null} chart
 * @param {number} since The state that drift is measured from.
 */
export const showVisitChart = (chart, since) => {
	section.hidden = chart === null;
	if (chart) {
		getById('visit-chart-note', HTMLParagraphElement).textContent = chart.note ?? describe(chart);
		getById('readings', HTMLUListElement).replaceChildren(...chart.readings.map(createReading));
		getById('blame-title', HTMLHeadingElement).hidden = chart.blame.length === 0;
		getById('blame', HTMLUListElement).replaceChildren(...chart.blame.map(part => createPart(part, since)));
	}
};

/** @param {VisitChart} chart */
const describe = ({visits, average_run_length: runLength, alarm}) =>
	`${formatCount(visits, 'visit')} ended since the validation. ${alarm ? 'A reading is above its limit' : 'No reading is above its limit'}; ordinary talk alone brings one there once in ${formatCount(runLength, 'visit')}.`;

/** @param {VisitChart['readings'][number]} reading */
const createReading = ({span, reading, limit}) => {
	const text = `${reading.toFixed(2)}, limit ${limit.toFixed(2)}`;
	const bar = html('span', {'class': `reading${reading > limit ? ' above' : ''}`, 'role': 'img', 'aria-label': `reading ${text}`});
	bar.style.setProperty('--share', String(Math.min(1, reading / limit / maxReading)));
	bar.style.setProperty('--limit', String(1 / maxReading));
	return html('li', {}, html('span', {}, `About ${span} visits`), bar, html('span', {class: 'value'}, text));
};

/**
 * @param {VisitChart['blame'][number]} part
 * @param {number} since
 */
const createPart = ({source, share, texts, ids}, since) => html('li', {'data-source': source},
	createDisclosure(nameSource(source), () => listTexts(({key}) => ids.includes(key), {since})),
	createShareBar(share),
	html('span', {class: 'value'}, formatShare(share), html('small', {}, ` ${formatCount(texts, 'text')}`)));

/** A bar of a share of 1; one below 0 is empty. @param {number} share */
export const createShareBar = share => {
	const bar = html('span', {'class': 'share-bar', 'aria-hidden': 'true'});
	bar.style.setProperty('--share', String(Math.max(0, Math.min(1, share))));
	return bar;
};
