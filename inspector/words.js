// @ts-check
/**
 * The glossary's words, each with its meaning in a tooltip: on hover, on focus, and for
 * assistive technology as the word's description. The meanings come from `docs/words.md`.
 */
import {requestJson} from './api.js';
import {html} from './dom.js';

const tooltip = html('div', {id: 'meaning', class: 'tooltip', role: 'tooltip', hidden: true});
document.body.append(tooltip);

/** Requested when a word is first pointed at. @type {Promise<Record<string, string>> | undefined} */
let glossary;
const loadGlossary = () => {
	glossary ??= requestJson('GET', new URL('words.json', import.meta.url).href).catch(() => {
		// Requested again when a word is next pointed at.
		glossary = undefined;
		return {};
	});
	return glossary;
};

/**
 * A word with its tooltip.
 *
 * @param {string} name As in the glossary.
 * @param {string} [text] As in the sentence.
 */
export const word = (name, text = name) => html('button', {'type': 'button', 'class': 'word', 'data-word': name}, text);

/** @param {HTMLElement} element */
const show = async element => {
	const meaning = (await loadGlossary())[element.dataset['word'] ?? element.textContent.toLowerCase()];
	if (meaning !== undefined && (element.matches(':hover') || document.activeElement === element)) {
		tooltip.textContent = meaning;
		tooltip.hidden = false;
		element.setAttribute('aria-describedby', tooltip.id);
		const box = element.getBoundingClientRect();
		tooltip.style.left = `${scrollX + Math.max(8, Math.min(box.left, document.documentElement.clientWidth - tooltip.offsetWidth - 8))}px`;
		tooltip.style.top = `${scrollY + box.bottom + 4}px`;
	}
};

const hide = () => {
	tooltip.hidden = true;
};

/** Shows the meanings of all words of the page, including those that are added later. */
export const connectWords = () => {
	for (const type of /** @type {const} */ (['mouseover', 'focusin'])) {
		addEventListener(type, ({target}) => {
			if (target instanceof HTMLElement && target.matches('.word')) {
				void show(target);
			}
		});
	}

	for (const type of /** @type {const} */ (['mouseout', 'focusout'])) {
		addEventListener(type, ({target}) => {
			if (target instanceof HTMLElement && target.matches('.word')) {
				hide();
			}
		});
	}

	addEventListener('keydown', ({key}) => {
		if (key === 'Escape') {
			hide();
		}
	});
};
