// @ts-check
/** The chart of conversations: its readings against their limits, since when they are high, and which sources account for them. */
import {html, replaceRows} from '../dom.js';
import {formatDate, formatShare} from '../format.js';
import {formatCount, formatFixed, phrase} from '../phrase.js';
import {createDisclosure, joinOthers, listTexts, nameSource, sumOf} from './entries.js';

/** @typedef {{conversations: number, readings: {span: number, reading: number, limit: number}[], average_run_length: number, alarm: boolean, since: {id: string, source: string, timestamp: string} | null, blame: {source: string, share: number, texts: number, ids: string[], others?: number}[], moved: {alike: number, sources: number}}} ConversationChart */

/** The length of a list of sources: more could not be taken in at a glance. */
export const maxRows = 12;

/** The end of the scale, in limits. */
const maxReading = 1.5;

/**
 * Adds a chart to a section.
 *
 * @param {HTMLElement} section
 * @returns {(chart: ConversationChart | null, since: number) => void} Shows it; `since` is the state that drift is measured from.
 */
export const createConversationChart = section => {
	const note = html('p', {class: 'quiet'});
	const readings = html('ul', {class: 'readings'});
	const blame = html('ul', {class: 'shares blame'});
	const whose = html('div', {}, html('h4', {}, phrase`Whose texts the reading is made of`), blame);
	const place = html('div', {class: 'conversation-chart'}, html('h4', {}, phrase`The chart of conversations`), note, readings, whose);
	section.append(place);
	return (chart, since) => {
		place.hidden = chart === null;
		if (chart) {
			note.textContent = describe(chart);
			readings.replaceChildren(...chart.readings.map(createReading));
			whose.hidden = chart.blame.length < 2;
			replaceRows(blame, ...joinOthers(chart.blame, maxRows, sumUp).map(part => createPart(part, since)));
		}
	};
};

/** @param {ConversationChart['blame']} others */
const sumUp = others => ({source: 'others', others: sumOf(others, part => part.others ?? 1), share: sumOf(others, ({share}) => share), texts: sumOf(others, ({texts}) => texts), ids: []});

/** How many sources moved in the direction of a reading. Nothing for a single source, which always does. @param {ConversationChart['moved']} moved */
export const describeMoved = ({alike, sources}) => sources > 1 && phrase`In this reading ${alike} of ${formatCount(sources, 'source')} moved this way.`;

/** @param {ConversationChart} chart */
const describe = ({conversations, average_run_length: runLength, alarm, since, moved}) => [
	phrase`${formatCount(conversations, 'conversation')} ended since the validation.`,
	alarm
		? phrase`A reading is above its limit; ordinary talk alone raises one above it once in ${formatCount(runLength, 'conversation')}.`
		: phrase`No reading is above its limit; ordinary talk alone raises one above it once in ${formatCount(runLength, 'conversation')}.`,
	since && phrase`It has been longer than usual since ${formatDate(since.timestamp)}, beginning with a text of ${nameSource(since.source)}.`,
	alarm && describeMoved(moved),
].filter(Boolean).join(' ');

/** @param {ConversationChart['readings'][number]} reading */
const createReading = ({span, reading, limit}) => {
	const text = phrase`${formatFixed(reading, 2)}, limit ${formatFixed(limit, 2)}`;
	const bar = html('span', {'class': `reading${reading > limit ? ' above' : ''}`, 'role': 'img', 'aria-label': phrase`reading ${text}`});
	bar.style.setProperty('--share', String(Math.min(1, reading / limit / maxReading)));
	bar.style.setProperty('--limit', String(1 / maxReading));
	return html('li', {}, html('span', {}, phrase`About ${span} conversations`), bar, html('span', {class: 'value'}, text));
};

/**
 * @param {ConversationChart['blame'][number]} part
 * @param {number} since
 */
const createPart = ({source, share, texts, ids, others}, since) => html('li', {'data-source': source},
	others ? html('span', {}, formatCount(others, 'other')) : createDisclosure(nameSource(source), () => listTexts(({key}) => ids.includes(key), {since})),
	createShareBar(share),
	html('span', {class: 'value'}, formatShare(share), html('small', {}, ` ${formatCount(texts, 'text')}`)));

/** A bar for a share, 0 to 1; a negative share gives an empty bar. @param {number} share */
export const createShareBar = share => {
	const bar = html('span', {'class': 'share-bar', 'aria-hidden': 'true'});
	bar.style.setProperty('--share', String(Math.max(0, Math.min(1, share))));
	return bar;
};
