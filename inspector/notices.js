// @ts-check
/** Notices of what needs attention: at most one of each kind, until it no longer applies. */
import {createButton, getById, html} from './dom.js';
import {phrase} from './phrase.js';

/** @typedef {'identity' | 'cycle' | 'journal' | 'stream' | 'drift' | 'echo' | 'source' | 'change' | 'uptake'} Kind */

const list = getById('notices', HTMLElement);

/** Kinds of past events, whose notices the user dismisses. @type {Set<Kind>} */
const passing = new Set(['drift', 'echo', 'source', 'change', 'uptake']);

/** @type {Map<Kind, HTMLElement>} */
const shown = new Map();

/**
 * An empty text removes the notice.
 *
 * @param {Kind} kind
 * @param {string} text
 */
export const showNotice = (kind, text) => {
	const notice = shown.get(kind) ?? html('p', {'class': 'notice', 'data-kind': kind});
	if (text === '') {
		notice.remove();
		shown.delete(kind);
	} else if (notice.firstChild?.textContent !== text) {
		notice.replaceChildren(text, ...(passing.has(kind) ? [createButton(phrase`Dismiss`, () => showNotice(kind, ''))] : []));
		shown.set(kind, notice);
		list.append(notice);
	}
};

export const clearNotices = () => {
	for (const kind of shown.keys()) {
		showNotice(kind, '');
	}
};
