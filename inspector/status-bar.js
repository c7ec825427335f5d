// @ts-check
/** The bar at the top of the page: mode, state, drift, vigilance, loop and stream; and the model in the footer. */
import {getById} from './dom.js';
import {phrase, translated} from './phrase.js';

const announcement = getById('announcement', HTMLParagraphElement);
/** Changes are also announced to assistive technology. @param {string} mode */
export const showMode = mode => {
	const element = getById('mode', HTMLElement);
	const isChange = element.textContent !== translated(mode) && document.documentElement.dataset['mode'] !== 'unknown';
	document.documentElement.dataset['mode'] = mode;
	element.textContent = translated(mode);
	if (isChange) {
		announcement.textContent = phrase`The mode is now ${translated(mode)}.`;
	}
};

/** @param {string} model */
export const showModel = model => {
	getById('model', HTMLElement).textContent = model;
};

/** @param {boolean} isRunning */
export const showLoop = isRunning => {
	getById('loop', HTMLElement).textContent = isRunning ? phrase`running` : phrase`stopped`;
};

/** @param {number} id */
export const showStateId = id => {
	getById('state-id', HTMLElement).textContent = String(id);
};

/** Always grey: the path's length, which every text adds to, is no alarm. @param {string} level */
export const showLevel = level => {
	getById('level', HTMLElement).textContent = translated(level);
	getById('vigilance-note', HTMLParagraphElement).textContent = phrase`Vigilance: ${translated(level)}. It is the length of the path, which every text adds to, and not an alarm.`;
};

/**
 * @param {string} text
 * @param {'ok' | 'alarm' | ''} level
 */
export const showDrift = (text, level) => {
	const element = getById('drift-level', HTMLElement);
	element.textContent = text;
	element.dataset['level'] = level;
};

const connectionTexts = {connecting: phrase`connecting …`, live: phrase`live`, lost: phrase`lost, reconnecting`, none: phrase`not offered`, unknown: phrase`no such identity`};

/** @param {import('./stream.js').Connection} connection */
export const showConnection = connection => {
	// The page's values turn grey as soon as they may be out of date.
	document.documentElement.dataset['connection'] = connection;
	getById('connection', HTMLElement).textContent = connectionTexts[connection];
};
