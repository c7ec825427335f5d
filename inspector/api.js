// @ts-check
/**
 * Requests to the service. Addresses are relative to this file, so that the page works under any
 * prefix. Where the service requires a token, a dialog asks for it once, and it is kept until
 * the tab is closed.
 */
import {html} from './dom.js';
import {phrase} from './phrase.js';
import {whenReleased} from './press.js';

/** The base address of all requests; for one identity of many it ends in `identities/NAME/`. */
const base = new URL('../', import.meta.url);

/** Whether the service has many identities. */
export const isHost = 'host' in document.documentElement.dataset;

/** The identity named in the page's address; null for the default one. */
export const namedIdentity = isHost ? /\/identities\/([^/]+)\/$/.exec(base.pathname)?.[1] ?? null : null;

const service = namedIdentity === null ? base : new URL('../../', base);
const tokenKey = `token of ${service.href}`;

/** The service's address without a trailing slash, as its clients expect it. */
export const serviceAddress = service.href.replace(/\/$/, '');

/** Whether the service requires a token, as far as the page knows. */
export const hasToken = () => sessionStorage.getItem(tokenKey) !== null;

/**
 * The address of a resource that belongs to no identity, or to another one.
 *
 * @param {string} path Relative to the service.
 */
export const addressOf = path => new URL(path, service).href;

const field = html('input', {'id': 'token', 'type': 'password', 'required': true, 'autocomplete': 'off'});
const refusal = html('output', {class: 'failed', for: 'token'});
const form = html(
	'form', {id: 'token-form'},
	html('h2', {id: 'token-title'}, phrase`This service requires a token`),
	html('label', {for: 'token'}, phrase`Token`),
	field,
	refusal,
	html('p', {class: 'quiet'}, phrase`The token is kept until this tab is closed.`),
	html('div', {class: 'buttons'}, html('button', {class: 'primary'}, phrase`Continue`)),
);
const dialog = html('dialog', {'id': 'token-dialog', 'aria-labelledby': 'token-title'}, form);
document.body.append(dialog);

/** Pending while the dialog is open. @type {PromiseWithResolvers<void> | null} */
let tokenPrompt = null;

/** @param {boolean} isRefused Whether a token was sent and refused. */
const showPrompt = isRefused => {
	field.value = '';
	refusal.textContent = isRefused ? phrase`The service does not know this token.` : '';
};

/** @param {boolean} isRefused */
const promptForToken = isRefused => {
	if (!tokenPrompt) {
		tokenPrompt = Promise.withResolvers();
		showPrompt(isRefused);
		dialog.showModal();
	}

	return tokenPrompt.promise;
};

form.addEventListener('submit', event => {
	event.preventDefault();
	const token = field.value.trim();
	// Other characters cannot be sent in the header, so every request would fail.
	if (!/^[!-~]+$/.test(token)) {
		showPrompt(true);
		return;
	}

	const prompt = tokenPrompt;
	sessionStorage.setItem(tokenKey, token);
	tokenPrompt = null;
	dialog.close();
	prompt?.resolve();
});

// No request succeeds without the token, so the dialog opens again after Escape.
dialog.addEventListener('close', () => {
	if (tokenPrompt) {
		dialog.showModal();
	}
});

/**
 * Sends a request, with the token if there is one. A 401 prompts for a token and tries again.
 *
 * @param {string} path Relative to the identity, or an address.
 * @param {RequestInit} [options]
 * @returns {Promise<Response>}
 */
export const request = async (path, options = {}) => {
	const token = sessionStorage.getItem(tokenKey);
	const headers = new Headers(options.headers);
	if (token) {
		headers.set('Authorization', `Bearer ${token}`);
	}

	const response = await fetch(new URL(path, base), {...options, headers, cache: 'no-store'});
	if (response.status !== 401) {
		return response;
	}

	// Another request may have obtained a new token since.
	if (sessionStorage.getItem(tokenKey) === token) {
		await promptForToken(token !== null);
	}

	return request(path, options);
};

/** An error that the service reported, with its message. */
class ServiceError extends Error {
	/** @param {string} message @param {string} [code] The service's name for the error. */
	constructor(message, code) {
		super(message);
		this.code = code;
	}
}

/** @param {Response} response */
const readJson = async response => response.json().catch(() => ({detail: phrase`The response (status ${response.status}) is not JSON.`}));

/** @param {{detail?: unknown}} answer Its detail is a message, or a list of validation errors. */
const toMessage = ({detail}) => Array.isArray(detail) ? detail.map(({msg}) => msg).join('; ') : String(detail);

/**
 * Reads why a request failed.
 *
 * @param {Response} response
 * @returns {Promise<{message: string, code?: string}>}
 */
export const readFailure = async response => {
	const answer = await readJson(response);
	return {message: toMessage(answer), code: answer.code};
};

/**
 * Sends a request and parses the JSON of the response.
 *
 * @param {'GET' | 'POST'} method
 * @param {string} path As {@link request} takes it.
 * @param {unknown} [body]
 * @param {Record<string, string>} [headers] Sent with a body.
 * @returns {Promise<any>}
 * @throws {ServiceError} when the status is not 2xx
 */
export const requestJson = async (method, path, body, headers) => {
	return readAnswer(await request(path, {
		method,
		...(body !== undefined && {headers: {'Content-Type': 'application/json', ...headers}, body: JSON.stringify(body)}),
	}));
};

/** @param {Response} response @returns {Promise<any>} @throws {ServiceError} when the status is not 2xx */
const readAnswer = async response => {
	const answer = await readJson(response);
	await whenReleased();
	if (!response.ok) {
		throw new ServiceError(toMessage(answer), answer.code);
	}

	return answer;
};

/**
 * Repeats a request with the tag of its last answer. The new answer is null if nothing has changed.
 *
 * @param {string} path
 * @param {string} tag The ETag of the last answer; empty for none.
 * @returns {Promise<{answer: any, tag: string}>}
 * @throws {ServiceError} when the status is neither 2xx nor 304
 */
export const requestChange = async (path, tag) => {
	const response = await request(path, tag === '' ? {} : {headers: {'If-None-Match': tag}});
	return {answer: response.status === 304 ? null : await readAnswer(response), tag: response.headers.get('ETag') ?? ''};
};

/**
 * The message to show for an error of {@link requestJson}.
 *
 * @param {unknown} error
 */
export const describeError = error => error instanceof ServiceError ? error.message : phrase`The service cannot be reached.`;
