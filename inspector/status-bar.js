// @ts-check
/** What stands at the head of the page: mode, state, vigilance, loop and stream. */
import {byId} from './dom.js';

const announcement = byId('announcement', HTMLParagraphElement);
const notice = byId('notice', HTMLParagraphElement);

/** Told to those who do not see it. @param {string} text */
const announce = text => {
	announcement.textContent = text;
};

/** Told to all; an empty text takes it back. @param {string} text */
export const warn = text => {
	notice.textContent = text;
	notice.hidden = text === '';
};

/** Shows what the store could not give, as for an identity that began at random. @param {string} state `ok`, or a sentence. */
export const showStore = state => {
	const place = byId('store', HTMLParagraphElement);
	place.textContent = state;
	place.hidden = state === 'ok';
};

/** @param {string} mode */
export const showMode = mode => {
	const place = byId('mode', HTMLElement);
	const isNews = place.textContent !== mode && document.documentElement.dataset['mode'] !== 'unknown';
	document.documentElement.dataset['mode'] = mode;
	place.textContent = mode;
	if (isNews) {
		announce(`The mode is ${mode} now.`);
	}
};

/** @param {boolean} isRunning */
export const showLoop = isRunning => {
	byId('loop', HTMLElement).textContent = isRunning ? 'running' : 'stopped';
};

/** @param {number} id */
export const showStateId = id => {
	byId('state-id', HTMLElement).textContent = String(id);
};

/** @param {string} level */
export const showLevel = level => {
	const place = byId('level', HTMLElement);
	place.textContent = level;
	place.dataset['level'] = level;
};

const connections = {connecting: 'connecting …', live: 'live', lost: 'lost, trying again', none: 'not offered'};

/** @param {import('./stream.js').Connection} connection */
export const showConnection = connection => {
	const place = byId('connection', HTMLElement);
	place.dataset['connection'] = connection;
	place.textContent = connections[connection];
};
