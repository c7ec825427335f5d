// @ts-check
/**
 * What I heard, or what I said, compared with chance: its distance from ordinary talk at each look,
 * the directions on which it differs, and the chart of its conversations.
 */
import {html} from '../dom.js';
import {formatChance, formatDate, formatSigned, toTimes} from '../format.js';
import {formatCount, formatFixed, phrase} from '../phrase.js';
import {createConversationChart} from './conversation-chart.js';
import {createPairRow} from './pair-row.js';
import {createPlot} from './plot.js';

/** @typedef {{texts: number, timestamp: string, distance: number, p: number}} Look */
/** @typedef {{key: string, pole: string, pole_positive: string, pole_negative: string, t: number, typical_t: number, p: number}} StandOut */
/** @typedef {{p: number | null, p_now: number | null, found_at: number | null, limit: number | null, stand_out: StandOut[], path: Look[], chart: import('./conversation-chart.js').ConversationChart | null}} Voice */

/** A p up to this is beyond chance. */
export const maxChanceP = 0.05;

const maxDirections = 12;

/**
 * Fills the section of a voice.
 *
 * @param {HTMLElement} section
 * @param {{verb: 'heard' | 'said'}} words
 * @returns {(voice: Voice | null, since: number) => void} Shows it; null if nothing is known of it. `since` is the state that drift is measured from.
 */
export const createVoice = (section, {verb}) => {
	const what = verb === 'heard' ? phrase`what I heard` : phrase`what I said`;
	const chance = html('p', {class: 'chance'});
	const host = html('div', {class: 'plot', role: 'img'});
	const moment = html('p', {'class': 'quiet', 'aria-live': 'polite'});
	const explanation = html('p', {class: 'quiet'});
	const path = html('div', {}, html('p', {class: 'curve-title'}, phrase`Distance from ordinary talk; 1 is where chance usually takes it`), host, moment, explanation);
	const legend = html('p', {class: 'quiet legend'}, html('span', {class: 'other-mark'}), ` ${what} `, html('span', {class: 'present-mark'}), ` ${phrase`chance, on its worst direction`}`);
	const directions = html('ul', {class: 'selves'});
	const strange = html('div', {}, html('h4', {}, phrase`Where it differs`), legend, directions);
	const showChart = createConversationChart(section);
	section.querySelector('h3')?.after(chance, path, strange);

	/** @type {Look[]} */
	let looks = [];
	/** @type {number | null} */
	let selected = null;
	const show = (/** @type {number | null} */ index) => {
		const look = index === null ? undefined : looks[index];
		moment.textContent = look ? [formatDate(look.timestamp), phrase`after ${formatCount(look.texts, 'text')}`, phrase`distance ${formatFixed(look.distance, 2)}`, formatChance(look.p)].join(' · ') : '';
	};

	const plot = createPlot(host, {
		colours: ['--edge', '--curve'],
		group: verb,
		selected: () => selected,
		onPoint(index) {
			selected = index;
			plot.redraw(false, false);
			show(index);
		},
		onHover: hovered => show(hovered ?? selected),
	});

	return (voice, since) => {
		section.hidden = voice === null;
		if (voice === null) {
			return;
		}

		chance.textContent = describeChance(voice);
		explanation.textContent = explain(voice);
		looks = voice.path;
		path.hidden = looks.length < 2;
		plot.setData(/** @type {any} */ ([toTimes(looks), looks.map(() => voice.limit), looks.map(({distance}) => distance)]));
		host.setAttribute('aria-label', phrase`The distance of ${what} from ordinary talk at ${formatCount(looks.length, 'look')}, and the limit ${formatFixed(voice.limit ?? 0, 2)}`);
		selected = looks.length - 1;
		show(selected);
		strange.hidden = voice.stand_out.length === 0;
		directions.replaceChildren(...createDirections(voice.stand_out));
		showChart(voice.chart, since);
	};
};

/** @param {Voice} voice */
const describeChance = ({p, found_at: foundAt}) => {
	if (p === null) {
		return phrase`The first look is after 100 texts.`;
	}

	return foundAt === null
		? phrase`${formatChance(p)}: chance explains it`
		: phrase`${formatChance(p)}: beyond chance, first seen after ${formatCount(foundAt, 'text')}`;
};

/** @param {Voice} voice */
const explain = ({p_now: now}) => [
	phrase`You may look at p as often as you like: it never rises, and of twenty histories of ordinary talk nineteen stay under the grey line at all looks.`,
	now !== null && phrase`For this look alone, fixed beforehand, it would be ${formatChance(now)}.`,
].filter(Boolean).join(' ');

/** @param {StandOut[]} directions The strongest first. */
const createDirections = directions => {
	const scale = Math.max(0.01, ...directions.flatMap(({t, typical_t: typical}) => [t, typical]));
	return directions.slice(0, maxDirections).map(({pole, t, typical_t: typical, p, ...direction}) => {
		const sign = pole === direction.pole_positive ? 1 : -1;
		return createPairRow(direction, {
			present: sign * typical / scale,
			other: sign * t / scale,
			label: phrase`${formatFixed(t, 2)} towards ${pole}, chance ${formatFixed(typical, 2)}, ${formatChance(p)}`,
			reading: formatSigned(sign * t, 2),
		});
	});
};
