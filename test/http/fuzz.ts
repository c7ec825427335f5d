/**
 * Random requests against any server of the interface: every path, any method, headers and
 * bodies from nearly valid to noise. Every response is a documented one, and a
 * refused request changes nothing.
 */
import {Agent, METHODS, request as send, type IncomingMessage, type OutgoingHttpHeaders} from 'node:http';
import fc from '../helpers/fast-check.ts';
import {Compile} from '../../src/platform/typebox.ts';
import {anyText} from '../helpers/any-text.ts';
import {operations, type Document} from './openapi-document.ts';

export type FuzzOptions = {
	/** How many requests. */
	requests: number;
	/** Repeats a run. */
	seed: number;
	/** The server's limit, in bytes, which some bodies exceed. */
	maxBodyBytes: number;
	/**
	 * A fingerprint of everything that a request may change. It must stay the same over a request
	 * that is answered with 4xx.
	 */
	probe: () => string | Promise<string>;
	/** Failures that this server may answer with, such as 503 where it has no translator. None unless given. */
	mayFail?: (answer: {method: string; path: string; status: number}) => boolean;
};

type Request = {method: string; path: string; headers: OutgoingHttpHeaders; body: Uint8Array | null; isChunked: boolean};
type Answer = {status: number; headers: Record<string, string | string[] | undefined>; text: string};

/** Whether the HTTP parser accepts the path. It refuses any other before routing. */
const isReadable = (path: string): boolean => /^[!-~]*$/.test(path);

/**
 * Sends the requests one after another over a keep-alive connection.
 *
 * @returns how many answers had each status
 * @throws the first request that was answered badly, made as small as possible, with the seed
 */
export const fuzz = async (
	baseUrl: string,
	{requests, seed, maxBodyBytes, probe, mayFail = () => false}: FuzzOptions,
): Promise<Record<number, number>> => {
	const document = await (await fetch(`${baseUrl}/openapi.json`, {headers: {connection: 'close'}})).json() as Document;
	// Pages and streams are left out, since they do not answer in JSON, or never end.
	const declared = operations(document).filter(({responses}) => responses['200']).map(({method, path, responses}) => ({
		method,
		path,
		checks: Object.fromEntries(Object.entries(responses).map(([status, schema]) => [status, Compile(schema)])),
	}));
	const agent = new Agent({keepAlive: true, maxSockets: 1});
	const statuses: Record<number, number> = {};

	const judge = async (request: Request): Promise<void> => {
		const before = await probe();
		const {status, headers, text} = await exchange(baseUrl, request, agent);
		statuses[status] = (statuses[status] ?? 0) + 1;

		const [path = ''] = request.path.split('?');
		if (status >= 500 && !mayFail({method: request.method, path, status})) {
			throw new Error(`failed with ${status}: ${text}`);
		}

		if (status >= 400 && status < 500 && await probe() !== before) {
			throw new Error(`refused with ${status}, and yet something changed`);
		}

		if (request.method === 'HEAD' || request.method === 'OPTIONS') {
			return;
		}

		if (headers['content-type'] !== 'application/json; charset=utf-8') {
			throw new Error(`answered ${status} with ${headers['content-type']}`);
		}

		const body = JSON.parse(text) as {detail?: unknown};
		if (status >= 400 && body.detail === undefined) {
			throw new Error(`answered ${status} without detail: ${text}`);
		}

		if (!isReadable(request.path)) {
			if (status !== 400) {
				throw new Error(`answered ${status}, though the parser cannot read the path: ${text}`);
			}

			return;
		}

		const operation = declared.find((one) => one.method === request.method && one.path === path);
		if (operation && !operation.checks[status]?.Check(body)) {
			throw new Error(`answered ${status} other than documented: ${text}`);
		}
	};

	try {
		await fc.assert(fc.asyncProperty(anyRequest(declared, maxBodyBytes), judge), {numRuns: requests, seed, includeErrorInReport: true});
	} finally {
		agent.destroy();
	}

	return statuses;
};

const exchange = (
	baseUrl: string,
	{method, path, headers, body, isChunked}: Request,
	agent: Agent,
): Promise<Answer> => new Promise((resolve, reject) => {
	const framing = body && (isChunked ? {'transfer-encoding': 'chunked'} : {'content-length': body.length});
	const {hostname, port} = new URL(baseUrl);
	const outgoing = send({hostname, port, agent, method, path, headers: {...headers, ...framing}}, (response: IncomingMessage) => {
		const chunks: Buffer[] = [];
		response.on('data', (chunk: Buffer) => chunks.push(chunk));
		response.once('end', () => {
			resolve({status: response.statusCode!, headers: response.headers, text: Buffer.concat(chunks).toString()});
		});
		response.once('error', reject);
	});
	outgoing.once('error', reject);
	if (body) {
		outgoing.write(body);
	}

	outgoing.end();
});

/** Requests, most of them close to one that the interface accepts. */
const anyRequest = (declared: {method: string; path: string}[], maxBodyBytes: number): fc.Arbitrary<Request> => {
	const known = fc.constantFrom(...declared.map(({method, path}) => ({method, path})));
	const query = fc.oneof({weight: 4, arbitrary: fc.constant('')}, fc.webQueryParameters().map((text) => `?${text}`));
	const aimed = fc.tuple(known, query).map(([{method, path}, rest]) => ({method, path: path + rest}));
	const withBody = fc.constantFrom({method: 'POST', path: '/cycle'}, {method: 'POST', path: '/translate'});
	const stray = fc.record({
		method: fc.oneof(
			fc.constantFrom('GET', 'POST', 'HEAD', 'OPTIONS'), fc.constantFrom(...METHODS.filter((method) => method !== 'CONNECT')),
		),
		path: fc.oneof(known.map(({path}) => path), known.map(({path}) => path.toUpperCase()), known.map(({path}) => `${path}/`), anyPath),
		// The parser’s refusal has a body even for HEAD, which a client of HEAD does not expect.
	}).filter(({method, path}) => method !== 'HEAD' || isReadable(path));

	return fc.tuple(
		fc.oneof({weight: 4, arbitrary: withBody}, {weight: 2, arbitrary: aimed}, {weight: 2, arbitrary: stray}),
		fc.record({headers: anyHeaders, body: anyBody(maxBodyBytes), isChunked: fc.boolean()}),
	).map(([target, rest]) => ({...target, ...rest}));
};

const anyPath = fc.oneof(
	fc.webPath().map((path) => `/${path}`),
	fc.string({unit: fc.integer({min: 0x21, max: 0xff}).map((code) => String.fromCodePoint(code))}).map((path) => `/${path}`),
	fc.constantFrom(
		'/%',
		'/%E0%A4',
		'/%00',
		'//',
		'/..',
		'/../state',
		'/./health',
		'*',
		'/health#',
		'/health;a=b',
		'/__proto__',
		'/cycle%2F',
		'http://elsewhere/health',
	),
);

const anyHeaders: fc.Arbitrary<OutgoingHttpHeaders> = fc.record({
	'content-type': fc.oneof(
		{weight: 4, arbitrary: fc.constant('application/json')},
		fc.constantFrom(
			'application/json; charset=utf-8',
			'application/a+json',
			'application/json;charset=latin1',
			'text/plain',
			'multipart/form-data',
			';',
			' ',
		),
		fc.string(),
	),
	'content-encoding': fc.constantFrom('identity', 'gzip', 'br', 'deflate', 'zstd', 'x'),
	origin: fc.oneof(fc.constantFrom('https://page.example', 'null', '*', ''), fc.string()),
	'access-control-request-method': fc.constantFrom('POST', 'X', ''),
	'access-control-request-headers': fc.string(),
	accept: fc.constantFrom('text/plain', '*/*', 'application/json;q=0', ''),
	host: fc.oneof(fc.constantFrom('here', '[::1]', ':', '@', 'a b', '%'), fc.string()),
	'x-forwarded-host': fc.string(),
	'x-http-method-override': fc.constant('DELETE'),
	cookie: fc.string(),
	'if-none-match': fc.constantFrom('*', '"a"'),
	range: fc.constant('bytes=0-1'),
}, {requiredKeys: []}).map((headers) => Object.fromEntries(Object.entries(headers)
	// Most requests have few headers, so that the rare ones do not hide the rest.
	.filter(([name, value], index) => name === 'content-type' || (value.length + index) % 3 === 0)
	.map(([name, value]) => [name, value.replaceAll(/[^\t\u0020-\u007E\u0080-\u00FF]/g, '')])));

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

const anyBody = (maxBodyBytes: number): fc.Arbitrary<Uint8Array | null> => {
	const anything = fc.jsonValue({maxDepth: 4});
	const wild = (good: fc.Arbitrary<unknown>) => fc.oneof({weight: 4, arbitrary: good}, anything);
	const nearlyValid = fc.record({
		content: wild(anyText()),
		trigger_type: wild(fc.oneof(fc.constantFrom('user', 'veille', 'corpus', 'rumination_free'), fc.string())),
		metadata: wild(fc.dictionary(fc.string(), anything)),
		context: wild(fc.option(fc.string())),
		max_length: wild(fc.oneof(fc.integer(), fc.double())),
		['__proto__']: anything,
	}, {requiredKeys: []}).map((body) => JSON.stringify(body));
	const json = fc.oneof(nearlyValid, anything.map((value) => JSON.stringify(value)));
	const damaged = fc.tuple(
		json,
		fc.nat(),
		fc.string({maxLength: 3}),
	).map(([text, at, put]) => text.slice(0, at % (text.length + 1)) + put + text.slice(at % (text.length + 1) + put.length));
	const deep = fc.tuple(
		fc.constantFrom('[', '{"a":', '{"content":"a","metadata":{"a":', '{"content":['),
		fc.integer({min: 1, max: 1000}),
		fc.boolean(),
	).map(([opening, depth, isClosed]) => {
		const opened = opening.repeat(depth);
		const closing = [...opened]
			.filter((character) => character === '[' || character === '{')
			.toReversed()
			.map((character) => character === '[' ? ']' : '}')
			.join('');
		return opened + (isClosed ? `0${closing}` : '');
	});

	return fc.oneof(
		{weight: 1, arbitrary: fc.constant(null)},
		{weight: 8, arbitrary: nearlyValid.map(encode)},
		{weight: 2, arbitrary: json.map(encode)},
		{weight: 2, arbitrary: damaged.map(encode)},
		{weight: 1, arbitrary: deep.map(encode)},
		{weight: 1, arbitrary: fc.uint8Array({minLength: 1})},
		{weight: 1, arbitrary: fc.integer({min: -2, max: 2}).map((more) => encode(`{"content": "${'a'.repeat(maxBodyBytes - 15 + more)}"}`))},
	);
};
