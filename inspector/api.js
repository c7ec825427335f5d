// @ts-check
/**
 * The way to the service, whose addresses are told from where this file lies, so that the page
 * works under any prefix. Where the service requires a token, it is asked for once and kept for
 * as long as the tab is open.
 */
import {byId} from './dom.js';

const service = new URL('../', import.meta.url);
const key = `token of ${service.href}`;

/** @type {Promise<string> | null} */
let asked = null;

/** @returns {Promise<string>} */
const askForToken = () => {
	asked ??= new Promise(resolve => {
		const dialog = byId('token-dialog', HTMLDialogElement);
		const field = byId('token', HTMLInputElement);
		field.value = '';
		byId('token-form', HTMLFormElement).addEventListener('submit', event => {
			event.preventDefault();
			sessionStorage.setItem(key, field.value.trim());
			dialog.close();
			asked = null;
			resolve(field.value);
		}, {once: true});
		dialog.showModal();
	});
	return asked;
};

// Without the token nothing goes on, so the question stays.
byId('token-dialog', HTMLDialogElement).addEventListener('close', ({currentTarget}) => {
	if (asked && currentTarget instanceof HTMLDialogElement) {
		currentTarget.showModal();
	}
});

/**
 * A request with the token, if one is known. A 401 asks for one and tries again.
 *
 * @param {string} path Relative to the service.
 * @param {RequestInit} [options]
 * @returns {Promise<Response>}
 */
export const knock = async (path, options = {}) => {
	const token = sessionStorage.getItem(key);
	const headers = new Headers(options.headers);
	if (token) {
		headers.set('Authorization', `Bearer ${token}`);
	}

	const response = await fetch(new URL(path, service), {...options, headers, cache: 'no-store'});
	if (response.status !== 401) {
		return response;
	}

	// Another request may have brought a token meanwhile.
	if (sessionStorage.getItem(key) === token) {
		await askForToken();
	}

	return knock(path, options);
};

/** What the service refused, or could not do, in its own words. */
export class Refusal extends Error {
	/**
	 * @param {number} status
	 * @param {string} message
	 */
	constructor(status, message) {
		super(message);
		this.status = status;
	}
}

/** @param {unknown} detail */
const told = detail => Array.isArray(detail) ? detail.map(({msg}) => msg).join('; ') : String(detail);

/**
 * A request that is answered in JSON.
 *
 * @param {'GET' | 'POST'} method
 * @param {string} path
 * @param {unknown} [body]
 * @returns {Promise<any>}
 * @throws {Refusal}
 */
export const ask = async (method, path, body) => {
	const response = await knock(path, {
		method,
		...(body !== undefined && {headers: {'Content-Type': 'application/json'}, body: JSON.stringify(body)}),
	});
	const answer = await response.json().catch(() => ({detail: `The answer, of status ${response.status}, is no JSON.`}));
	if (!response.ok) {
		throw new Refusal(response.status, told(answer.detail));
	}

	return answer;
};
