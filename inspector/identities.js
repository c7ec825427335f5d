// @ts-check
/**
 * The name of the identity that the page shows, and a dialog to choose another, where the service has many. The page's
 * address names the identity, so that it can be linked and survives a reload.
 */
import {addressOf, describeError, isHost, namedIdentity, requestJson} from './api.js';
import {getById, html, throttle} from './dom.js';
import {formatCount, phrase} from './phrase.js';

/** @typedef {{identities: {id: string}[], next: string | null, default_id: string}} Page */

const pageSize = 50;

const button = getById('identity', HTMLButtonElement);
const dialog = getById('identity-dialog', HTMLDialogElement);
const search = getById('identity-search', HTMLInputElement);
const list = getById('identity-list', HTMLUListElement);
const more = getById('identity-more', HTMLButtonElement);
const note = getById('identity-note', HTMLOutputElement);

/** @param {string} after @param {number} limit @returns {Promise<Page>} */
const requestPage = (after, limit) => requestJson('GET', addressOf(`identities?${new URLSearchParams({after, limit: String(limit)})}`));

/**
 * A text that sorts just before all names with a prefix, since the service lists the names after a given one.
 * Names have no “~”, and all their characters sort before it.
 *
 * @param {string} prefix
 */
const placeBefore = prefix => prefix && `${prefix.slice(0, -1)}${String.fromCodePoint(prefix.charCodeAt(prefix.length - 1) - 1)}~`;

let shown = namedIdentity;
/** The last name of the pages that are listed; null when no more names have the prefix. @type {string | null} */
let next = null;
/** Numbers the requests: only the last answer is listed, since one requested while the user typed may arrive late. */
let requests = 0;

/** @param {string} name */
const createLink = name => html('li', {}, html('a', {'href': addressOf(`identities/${name}/inspector`) + location.hash, 'aria-current': name === shown && 'page'}, name));

/**
 * Lists the names that begin with what the user typed, or the next page of them.
 *
 * @param {string | null} [after]
 * @returns {Promise<Element | undefined>} the link of the first name of this page
 */
const listNames = async (after = null) => {
	const prefix = search.value.trim().toLowerCase();
	const request = ++requests;
	try {
		const page = await requestPage(after ?? placeBefore(prefix), pageSize);
		const names = page.identities.map(({id}) => id).filter(id => id.startsWith(prefix));
		const links = names.map(createLink);
		if (request === requests) {
			next = names.length === page.identities.length ? page.next : null;
			list.replaceChildren(...after === null ? [] : list.children, ...links);
			more.hidden = next === null;
			note.textContent = next === null ? formatCount(list.children.length, 'name') : phrase`${formatCount(list.children.length, 'name')}, and more`;
		}

		return links[0]?.firstElementChild ?? undefined;
	} catch (error) {
		note.textContent = describeError(error);
	}
};

/** Shows the identity's name if the service has others. */
export const refreshIdentities = async () => {
	if (isHost) {
		const page = await requestPage('', 2);
		shown = namedIdentity ?? page.default_id;
		const isOne = page.identities.every(({id}) => id === shown);
		button.hidden = isOne;
		getById('identity-name', HTMLElement).textContent = shown;
		document.title = isOne ? document.title : `${shown} · Processual State`;
	}
};

export const connectIdentities = () => {
	getById('docs', HTMLAnchorElement).href = addressOf('docs');
	const link = getById('fleet-link', HTMLParagraphElement);
	link.hidden = !('fleet' in document.documentElement.dataset);
	link.querySelector('a')?.setAttribute('href', addressOf('fleet'));
	button.addEventListener('click', () => {
		search.value = '';
		dialog.showModal();
		void listNames();
	});
	search.addEventListener('input', throttle(() => {
		void listNames();
	}, 150));
	more.addEventListener('click', async () => {
		const added = await listNames(next);
		if (added instanceof HTMLElement) {
			added.focus();
		}
	});
	// Enter chooses the first name with the prefix.
	getById('identity-form', HTMLFormElement).addEventListener('submit', async event => {
		event.preventDefault();
		const first = await listNames();
		if (first instanceof HTMLAnchorElement) {
			location.assign(first.href);
		}
	});
	getById('identity-close', HTMLButtonElement).addEventListener('click', () => dialog.close());
};
