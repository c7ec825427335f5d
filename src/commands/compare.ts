/**
 * `processual compare URL`: sends the same requests to two services, for each endpoint of the interface
 * (`docs/spec/interface.md#endpoints`), and shows which fields differ and by how many bits. It moves both states.
 */
import {boundedFetch, describeConnectionError} from '../platform/bounded-fetch.ts';
import {ConfigurationError, withErrors} from '../platform/errors.ts';
import {countInEnglish} from '../platform/phrase.ts';
import {plainUrl} from '../platform/server-access.ts';
import {toServiceElsewhere} from './connect-to.ts';
import type {Settings} from './settings.ts';
import {readLines} from './transfer/entry-reader.ts';
import {loadThemes} from '../sources/themes.ts';

type Request = {readonly method: 'GET' | 'POST'; readonly path: string; readonly body?: unknown};

type Answer = {readonly status: number; readonly body: unknown};

/** The largest difference of one field, over the answers of an endpoint. */
type Difference = {readonly here: unknown; readonly there: unknown; readonly bits: number | null; readonly answers: number};

/** Times and durations, on which no two services agree, and the fields of errors that only this service has. */
const notCompared = new Set([
	'uptime_seconds', 'uptime_hours', 'processing_time_ms', 'timestamp', 'time_since_last_user_seconds', 'code', 'retryable',
]);

/** Sentences for people: another service words them differently. */
const inWords = new Set(['detail', 'message']);

const significantBits = 53;

/** How many of the 53 significant bits of two different numbers differ, counted from the last. */
export const bitsApart = (one: number, other: number): number => {
	const relative = Math.abs(one - other) / Math.max(Math.abs(one), Math.abs(other));
	return Number.isFinite(relative)
		? Math.min(significantBits, Math.max(1, Math.ceil(significantBits + Math.log2(relative))))
		: significantBits;
};

type Found = Omit<Difference, 'answers'> & {readonly field: string};

const toFound = (field: string, here: unknown, there: unknown): Found =>
	({field, here, there, bits: typeof here === 'number' && typeof there === 'number' ? bitsApart(here, there) : null});

/** The larger difference, or the first of two equal ones. Values that are not numbers differ most. */
const worse = <Size extends Pick<Difference, 'bits'>>(one: Size, other: Size): Size =>
	(other.bits ?? Infinity) > (one.bits ?? Infinity) ? other : one;

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null;

/** Each place where two values differ. The items of a list are one field. */
const differencesIn = (here: unknown, there: unknown, field: string): Found[] => {
	const name = field.split('.').at(-1)!;
	if (notCompared.has(name) || (inWords.has(name) && typeof here === typeof there)) {
		return [];
	}

	if (!isObject(here) || !isObject(there) || Array.isArray(here) !== Array.isArray(there)) {
		return Object.is(here, there) ? [] : [toFound(field, here, there)];
	}

	return [...new Set([...Object.keys(here), ...Object.keys(there)])].flatMap(key =>
		differencesIn(here[key], there[key], Array.isArray(here) ? `${field}[]` : field === '' ? key : `${field}.${key}`));
};

const reads: readonly Request[] = ['/health', '/state', '/vigilance', '/metrics', '/daemon/status', '/profile']
	.map(path => ({method: 'GET', path}));

const post = (path: string, body?: unknown): Request => ({method: 'POST', path, ...(body !== undefined && {body})});

const triggers = ['user', 'veille', 'corpus', 'rumination_free'];

/** Every endpoint, before and after the texts; those that start, stop and reset only on request. */
async function* listRequests(texts: AsyncIterable<string> | Iterable<string>, isResetting: boolean): AsyncGenerator<Request> {
	yield* reads;
	let said = 0;
	for await (const content of texts) {
		yield post('/cycle', {content, trigger_type: triggers[said++ % triggers.length]});
		yield {method: 'GET', path: '/state'};
	}

	yield post('/cycle', {});
	yield post('/translate', {});
	yield* reads;
	if (isResetting) {
		yield* ['/daemon/start', '/daemon/start', '/daemon/stop', '/daemon/stop', '/reset'].map(path => post(path));
		yield* reads;
	}
}

async function* linesOf(file: string): AsyncGenerator<string> {
	for await (const {text} of readLines(file)) {
		if (text.trim() !== '') {
			yield text.trimEnd();
		}
	}
}

/** Asks a service, and reads at most 16 MiB of its answer. */
const asking = (base: string, token?: string) => async ({method, path, body}: Request): Promise<Answer> => {
	const headers = {
		...(body !== undefined && {'Content-Type': 'application/json'}), ...(token !== undefined && {Authorization: `Bearer ${token}`}),
	};
	return withErrors(async () => {
		const response = await boundedFetch(base + path, {method, headers, ...(body !== undefined && {body: JSON.stringify(body)})},
			{maxBytes: 2 ** 24, timeoutMs: 120_000, option: 'the address'});
		return {status: response.status, body: await response.json().catch(() => 'no JSON')};
	}, error => new ConfigurationError(
		`${method} ${path} failed at ${base} (${describeConnectionError(error)}). Start the service, or correct its address.`, {cause: error},
	));
};

const shown = (value: unknown): string => value === undefined ? 'nothing' : JSON.stringify(value).slice(0, 60);

const describe = ([field, {here, there, bits, answers}]: [string, Difference]): string =>
	`    ${field}: ${bits === null ? 'differs' : `differs in the last ${bits} of ${significantBits} bits`} `
	+ `(${shown(here)} here, ${shown(there)} there), in ${countInEnglish(answers, 'answer')}`;

/** Keeps the largest difference of each field. */
const collect = (known: Map<string, Difference>, found: readonly Found[]): void => {
	for (const [field, all] of Map.groupBy(found, each => each.field)) {
		const before = known.get(field);
		const {here, there, bits} = [...before ? [before] : [], ...all].reduce<Omit<Difference, 'answers'>>(worse, all[0]!);
		known.set(field, {here, there, bits, answers: (before?.answers ?? 0) + 1});
	}
};

/**
 * Compares the service of PROCESSUAL_URL (by default `http://localhost` with PORT) with another one.
 *
 * @param there The other service's address.
 * @param options `texts`: a file with one text per line; by default, sentences of the package. `reset`: whether to start and
 * stop the daemons too, and to reset both states at the end.
 * @throws {ConfigurationError} if one of them cannot be asked
 */
export const compare = async (
	settings: Settings, there: string, {texts, reset = false}: {texts?: string; reset?: boolean},
): Promise<{text: string; isSame: boolean}> => {
	const addresses = [settings.PROCESSUAL_URL ?? `http://localhost:${settings.PORT}`, there].map(address => {
		const url = plainUrl(address);
		if (url === null) {
			throw new ConfigurationError(`“${address}” is not the address of a service. Give a plain http or https address, `
				+ 'such as http://python:8100.');
		}

		return address.replace(/\/+$/, '');
	}) as [string, string];
	const {identity, token} = toServiceElsewhere(settings, addresses[0]);
	const askHere = asking(addresses[0] + (identity === undefined ? '' : `/identities/${identity}`), token);
	const askThere = asking(addresses[1]);

	const endpoints = new Map<string, {asked: number; differences: Map<string, Difference>}>();
	let beganAlike: boolean | null = null;
	for await (const request of listRequests(texts === undefined ? (await loadThemes()).corpus.slice(0, 12) : linesOf(texts), reset)) {
		const [one, other] = await Promise.all([askHere(request), askThere(request)]);
		const found = one.status === other.status
			? differencesIn(one.body, other.body, '')
			: [toFound('the HTTP status', one.status, other.status)];
		if (request.path === '/state') {
			beganAlike ??= found.length === 0;
		}

		const name = `${request.method} ${request.path}`;
		const endpoint = endpoints.get(name) ?? {asked: 0, differences: new Map<string, Difference>()};
		endpoint.asked++;
		collect(endpoint.differences, found);
		endpoints.set(name, endpoint);
	}

	const isSame = [...endpoints.values()].every(({differences}) => differences.size === 0);
	return {isSame, text: [
		`${addresses.join(' and ')}:`,
		...[...endpoints].flatMap(([name, {asked, differences}]) => [
			`  ${name.padEnd(20)} ${String(asked).padStart(5)} asked, ${differences.size === 0 ? 'the same' : 'differs'}`,
			...[...differences].map(describe),
		]),
		...(beganAlike ? [] : [
			'They began with different states, so all later answers differ too: begin both from the same store (docs/from-python.md).',
		]),
	].join('\n')};
};
