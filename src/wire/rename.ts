/**
 * Renames between code and wire without a schema, for clients and events: keys that are data are known by their paths. Also
 * the names of the headers.
 */

/**
 * What a client needs to know of a question; compact, because every page loads it.
 *
 * `marks` contains `p` for POST, `u` if that may not be repeated, `a` if the request has fields, and `s` if the library has
 * no such method. `path` is empty if it is the name. `answer` and `ask` are the paths of keys that are data: dotted, with
 * `*` for items and values, and `**` for everything below. `renames` has the names that are not just snake_case.
 */
export type QuestionRow = readonly [
	marks: string, path?: string, answer?: readonly string[], ask?: readonly string[], renames?: Readonly<Record<string, string>>,
];

export const snakeName = (name: string): string => name.replaceAll(/[A-Z]/g, letter => `_${letter.toLowerCase()}`);

const names = new Map<string, string>();

/** Cached, since answers repeat the same names; at most 1000, in case a service makes names up. */
export const camelName = (name: string): string => {
	const renamed = names.get(name) ?? name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
	if (names.size < 1000) {
		names.set(name, renamed);
	}

	return renamed;
};

/** Copies a value and renames its keys at every depth, in the same order. @param data Paths of keys that are data, in the code's names. */
export const renameAll = (value: unknown, nameOf: (name: string) => string, data: readonly string[] = [], path = ''): unknown => {
	if (typeof value !== 'object' || value === null || data.includes(`${path}**`)) {
		return value;
	}

	if (Array.isArray(value)) {
		// Rows of floats are long, and contain no names.
		return typeof value[0] === 'number' ? value : value.map(item => renameAll(item, nameOf, data, `${path}*.`));
	}

	const isData = data.includes(path.slice(0, -1));
	return Object.fromEntries(Object.entries(value).map(([key, part]) =>
		[isData ? key : nameOf(key), renameAll(part, nameOf, data, `${path}${isData ? '*' : camelName(key)}.`)]));
};

/** The id of a cycle, which the interface's body of `POST /cycle` does not have. */
export const cycleIdHeader = 'X-Cycle-Id';

/** In a request: the id for its cycle. A repeated request with the same id gets the first result. */
export const idempotencyKeyHeader = 'Idempotency-Key';

/** `true` in a response that repeats another. */
export const replayedHeader = 'Idempotency-Replayed';

/** In a response: the unknown fields and parameters that were ignored. */
export const ignoredFieldsHeader = 'Ignored-Fields';
