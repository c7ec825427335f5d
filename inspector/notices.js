// @ts-check
/** What needs attention now: one notice of each kind, until it is no longer true. */
import {getById, html} from './dom.js';

/** @typedef {'cycle' | 'journal' | 'stream'} Kind */

const list = getById('notices', HTMLElement);

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
	} else if (notice.textContent !== text) {
		notice.textContent = text;
		shown.set(kind, notice);
		list.append(notice);
	}
};

export const clearNotices = () => {
	for (const kind of shown.keys()) {
		showNotice(kind, '');
	}
};
