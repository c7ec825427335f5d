// @ts-check
/** How far I drifted: in a sentence, beside what chance does, on which directions, and by whose texts. */
import {requestJson} from '../api.js';
import {getById} from '../dom.js';
import {formatChance, formatCount, formatDate, formatSigned} from '../format.js';
import {showNotice} from '../notices.js';
import {showDrift} from '../status-bar.js';
import {showFan} from './fan.js';
import {askInstrument} from './instruments.js';
import {createPairRow} from './pair-row.js';
import {refreshSources} from './sources.js';
import {showVisitChart} from './visit-chart.js';

/** @typedef {{timestamp: string, note: string, state_id: number, texts: number, visits: number}} Validation */
/** @typedef {{key: string, pole_positive: string, pole_negative: string, value: number, expected: number, z: number, p: number}} StandOut */
/** @typedef {{state_id: number, since: {state_id: number, timestamp: string}, validation: Validation | null, p: number | null, stand_out: StandOut[], path: import('./fan.js').PathPoint[], chart: import('./visit-chart.js').VisitChart | null, sentence: string, note: string | null}} Drift */

const section = getById('drift', HTMLElement);

/** A p up to this is beyond what chance does. */
const maxChanceP = 0.05;

const maxDirections = 12;

/** The answer that is shown: the service gives one again until the state has moved on, and what is open stays so. */
let shown = '';

/** Requests the drift and the vigilance, and shows them. @param {(source: string) => void} onWithout Called when the user asks who I were without a source. */
export const refreshDrift = async onWithout => {
	section.setAttribute('aria-busy', 'true');
	const drift = /** @type {Drift | null} */ (await askInstrument(section, 'drift'));
	section.removeAttribute('aria-busy');
	showDrift(...nameLevel(drift));
	if (!drift || shown === JSON.stringify(drift)) {
		return;
	}

	shown = JSON.stringify(drift);
	getById('drift-sentence', HTMLParagraphElement).textContent = drift.sentence;
	getById('drift-note', HTMLParagraphElement).textContent = [describeValidation(drift.validation), drift.note?.replace(' (POST /validate)', '')].filter(Boolean).join(' ');
	showFan(drift.path);
	showStandOut(drift);
	showVisitChart(drift.chart, drift.since.state_id);
	if (drift.chart && !drift.chart.alarm) {
		showNotice('drift', '');
	}

	await Promise.allSettled([showVigilance(), refreshSources(drift.since.state_id, onWithout)]);
};

/**
 * The drift in two words, and how much they ask for attention.
 *
 * @param {Drift | null} drift
 * @returns {[text: string, level: 'ok' | 'warning' | '']}
 */
const nameLevel = drift => {
	if (drift?.chart?.alarm) {
		return ['alarm', 'warning'];
	}

	if (!drift || drift.p === null) {
		return ['not known', ''];
	}

	return drift.p <= maxChanceP ? ['beyond chance', 'warning'] : ['within chance', 'ok'];
};

/** @param {Validation | null} validation */
const describeValidation = validation => validation && `Validated on ${formatDate(validation.timestamp)} at state ${validation.state_id}, for “${validation.note}”; the ${formatCount(validation.texts, 'text')} before it, in ${formatCount(validation.visits, 'visit')}, say what is ordinary.`;

/** @param {Drift} drift */
const showStandOut = ({p, stand_out: directions}) => {
	getById('stand-out', HTMLElement).hidden = p === null;
	const limit = Math.max(0.01, ...directions.flatMap(({value, expected}) => [Math.abs(value), Math.abs(expected)]));
	getById('stand-out-legend', HTMLParagraphElement).hidden = directions.length === 0;
	getById('stand-out-note', HTMLParagraphElement).textContent = directions.length === 0 ? 'No direction differs by more than chance.' : `${formatCount(directions.length, 'direction')} ${directions.length === 1 ? 'differs' : 'differ'} by more than chance${directions.length > maxDirections ? `; these are the strongest ${maxDirections}` : ''}.`;
	getById('stand-out-directions', HTMLUListElement).replaceChildren(...directions.slice(0, maxDirections).map(({value, expected, z, p: chance, ...direction}) => createPairRow(direction, {
		present: value / limit,
		other: expected / limit,
		label: `now ${formatSigned(value, 4)}, the twins ${formatSigned(expected, 4)}, ${formatChance(chance)}`,
		reading: `z ${formatSigned(z)}`,
	})));
};

/** Vigilance sums the path, which every text adds to: it stands below what tells drift from chance. */
const showVigilance = async () => {
	const {level, message} = await requestJson('GET', 'vigilance');
	getById('vigilance-note', HTMLParagraphElement).replaceChildren(`Vigilance: ${level}. It is the length of the path, which every text adds to, and no alarm.${message ? ` ${message}` : ''}`);
};
