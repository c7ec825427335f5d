// @ts-check
/** Requests to the instruments. If one cannot answer, for example without a journal, its section says why. */
import {describeError, requestJson} from '../api.js';
import {phrase} from '../phrase.js';

/** The last request. Each reads the whole journal, so they run one after another. @type {Promise<unknown>} */
let last = Promise.resolve();

/**
 * Requests an answer that needs the journal, after all earlier requests.
 *
 * @param {string} path Relative to the service. A body makes it a POST.
 * @param {unknown} [body]
 * @returns {Promise<any>}
 */
export const askInTurn = (path, body) => {
	const answer = last.then(() => requestJson(body === undefined ? 'GET' : 'POST', path, body));
	last = answer.catch(() => {});
	return answer;
};

/**
 * Requests an answer for a section of the page.
 *
 * @param {HTMLElement} section Has an element for the reason, `.unknown`, and one for the answer, `.known`.
 * @param {string} path Relative to the service. A body makes it a POST.
 * @param {unknown} [body]
 * @returns {Promise<any>} null where the instrument gives no answer
 */
export const askInstrument = async (section, path, body) => {
	const [unknown, known] = ['.unknown', '.known'].map(part => /** @type {HTMLElement} */ (section.querySelector(part)));
	if (known?.hidden && unknown?.hidden) {
		show(unknown, phrase`Loading …`);
	}

	try {
		// A profile is computed from memory, so it need not wait for requests that read the journal.
		const answer = await (path.startsWith('profile') ? requestJson('GET', path) : askInTurn(path, body));
		show(unknown, '');
		show(known, null);
		return answer;
	} catch (error) {
		show(unknown, describeError(error));
		show(known, '');
		return null;
	}
};

/**
 * @param {HTMLElement | undefined} element
 * @param {string | null} text Empty to hide the element; null to leave its content.
 */
const show = (element, text) => {
	if (element) {
		element.hidden = text === '';
		if (text) {
			element.textContent = text;
		}
	}
};

/**
 * The query of a request, without the empty fields.
 *
 * @param {Record<string, string | number | null | undefined>} fields
 */
export const toQuery = fields => {
	const given = Object.entries(fields).filter(([, value]) => value !== null && value !== undefined && value !== '');
	return new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
};
