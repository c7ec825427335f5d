// @ts-check
/** The views of the page as tabs. The address names the view after its `#`, so that it can be linked and survives a reload. */
import {getById} from './dom.js';

const list = getById('tabs', HTMLElement);
const tabs = /** @type {HTMLButtonElement[]} */ ([...list.querySelectorAll('[role=tab]')]);

/** @param {HTMLElement} tab */
const panelOf = tab => getById(tab.getAttribute('aria-controls') ?? '', HTMLElement);

/**
 * Shows one view and hides the others.
 *
 * @param {HTMLButtonElement} shown
 * @param {(view: string) => void} onShow
 */
const show = (shown, onShow) => {
	for (const tab of tabs) {
		tab.setAttribute('aria-selected', String(tab === shown));
		tab.tabIndex = tab === shown ? 0 : -1;
		panelOf(tab).hidden = tab !== shown;
	}

	onShow(panelOf(shown).id);
};

/**
 * Connects the tabs. Arrow keys move between them.
 *
 * @param {(view: string) => void} onShow Called with the id of each view that is shown.
 */
export const connectTabs = onShow => {
	const showNamed = () => show(tabs.find(tab => `#${panelOf(tab).id}` === location.hash) ?? /** @type {HTMLButtonElement} */ (tabs[0]), onShow);
	for (const tab of tabs) {
		tab.addEventListener('click', () => {
			history.replaceState(null, '', `#${panelOf(tab).id}`);
			show(tab, onShow);
		});
	}

	list.addEventListener('keydown', event => {
		const at = tabs.findIndex(tab => tab === event.target);
		const to = {ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1}[event.key];
		if (to !== undefined) {
			event.preventDefault();
			const tab = tabs.at(to % tabs.length);
			tab?.focus();
			tab?.click();
		}
	});
	// The skip link must not change the address, which names the view.
	document.querySelector('.skip')?.addEventListener('click', event => {
		event.preventDefault();
		getById('main', HTMLElement).focus();
	});
	addEventListener('hashchange', showNamed);
	showNamed();
};
