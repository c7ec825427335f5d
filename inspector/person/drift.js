// @ts-check
/** How far I drifted: a sentence, then what I heard and what I said compared with chance, and whose texts account for it. */
import {getById} from '../dom.js';
import {formatDate} from '../format.js';
import {showNotice} from '../notices.js';
import {formatCount, phrase} from '../phrase.js';
import {showDrift} from '../status-bar.js';
import {askInstrument} from './instruments.js';
import {refreshSources} from './sources.js';
import {createVoice, maxChanceP} from './voice.js';

/** @typedef {import('./voice.js').Voice} Voice */
/** @typedef {{timestamp: string, note: string, state_id: number, texts: number, heard: number, conversations: number}} Validation */
/** @typedef {Voice & {state_id: number, since: {state_id: number, timestamp: string}, validation: Validation | null, said: Voice | null, expired: boolean, p_without_top_source: number | null, sentence: string, note: string | null}} Drift */

const section = getById('drift', HTMLElement);
const showHeard = createVoice(getById('heard', HTMLElement), {verb: 'heard'});
const showSaid = createVoice(getById('said', HTMLElement), {verb: 'said'});

/** The answer that is shown, as JSON. The same answer is not drawn again, so that open details stay open. */
let shown = '';

/**
 * Requests the drift. Shows its level, and the rest if the view is visible.
 *
 * @param {(source: string) => void} onWithout Called when the user asks who I would be without a source.
 * @param {() => boolean} isSeen
 */
export const refreshDrift = async (onWithout, isSeen) => {
	section.setAttribute('aria-busy', 'true');
	const drift = /** @type {Drift | null} */ (await askInstrument(section, 'drift'));
	section.removeAttribute('aria-busy');
	showDrift(...nameLevel(drift));
	if (!drift || !isSeen() || shown === JSON.stringify(drift)) {
		return;
	}

	shown = JSON.stringify(drift);
	getById('drift-sentence', HTMLParagraphElement).textContent = drift.sentence;
	getById('drift-note', HTMLParagraphElement).textContent = [describeValidation(drift.validation), drift.note?.replace(' (POST /validate)', '')].filter(Boolean).join(' ');
	getById('validate', HTMLButtonElement).classList.toggle('primary', drift.expired);
	const since = drift.since.state_id;
	showHeard(drift.chart && drift, since);
	showSaid(drift.said, since);
	if (!isAlarm(drift)) {
		showNotice('drift', '');
	}

	await refreshSources(drift, onWithout);
};

/** Of an identity without texts. */
export const showNoDrift = () => showDrift(...nameLevel(null));

/** @param {Drift} drift */
const isAlarm = ({chart, said}) => Boolean(chart?.alarm || said?.chart?.alarm);

/**
 * The drift in two words. An alarm alone asks for attention.
 *
 * @param {Drift | null} drift
 * @returns {[text: string, level: 'ok' | 'alarm' | '']}
 */
const nameLevel = drift => {
	if (drift && isAlarm(drift)) {
		return [phrase`alarm`, 'alarm'];
	}

	if (!drift || drift.p === null) {
		return [phrase`not known`, ''];
	}

	if (drift.expired) {
		return [phrase`validate again`, ''];
	}

	return drift.p <= maxChanceP ? [phrase`beyond chance`, ''] : [phrase`within chance`, 'ok'];
};

/** @param {Validation | null} validation */
const describeValidation = validation => validation && phrase`Validated on ${formatDate(validation.timestamp)} at state ${validation.state_id}, for “${validation.note}”; the ${formatCount(validation.texts, 'text')} before it, ${validation.heard} of them by others, in ${formatCount(validation.conversations, 'conversation')}, say what is ordinary.`;
