/**
 * Names on the wire without a schema, for a client and for events: keys that are data are known by their paths. And
 * the names of our headers.
 */

/**
 * What a client needs of a question, short, because every page loads it: `p` where it is asked by POST, `u` where that may not be
 * repeated, `a` where something is asked, `s` where the library has no such method; its path, empty where that is its name; where
 * keys of the answer are data, and of the request; names of a request that are not the same in snake_case.
 *
 * Paths of data are dotted, with `*` for items and values, and `**` for all that is within.
 */
export type QuestionRow = readonly [
	marks: string, path?: string, answer?: readonly string[], ask?: readonly string[], renames?: Readonly<Record<string, string>>,
];

export const snakeName = (name: string): string => name.replaceAll(/[A-Z]/g, letter => `_${letter.toLowerCase()}`);

const names = new Map<string, string>();

/** An answer has the same names again and again. Of a service that makes names up, no more than 1000 are kept. */
export const camelName = (name: string): string => {
	const renamed = names.get(name) ?? name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
	if (names.size < 1000) {
		names.set(name, renamed);
	}

	return renamed;
};

/** A copy with the keys renamed at every depth, in the same order. @param data Where keys are data, in the code's names. */
export const renameAll = (value: unknown, nameOf: (name: string) => string, data: readonly string[] = [], path = ''): unknown => {
	if (typeof value !== 'object' || value === null || data.includes(`${path}**`)) {
		return value;
	}

	if (Array.isArray(value)) {
		// Rows of floats are long, and have no names.
		return typeof value[0] === 'number' ? value : value.map(item => renameAll(item, nameOf, data, `${path}*.`));
	}

	const isData = data.includes(path.slice(0, -1));
	return Object.fromEntries(Object.entries(value).map(([key, part]) =>
		[isData ? key : nameOf(key), renameAll(part, nameOf, data, `${path}${isData ? '*' : camelName(key)}.`)]));
};

/** The id of a cycle. The body of `POST /cycle` has the interface's fields alone. */
export const cycleIdHeader = 'X-Cycle-Id';

/** Of a request: the id that its cycle is to have. A repetition under it is answered with the first one's result. */
export const idempotencyKeyHeader = 'Idempotency-Key';

/** `true` in a response that repeats another. */
export const replayedHeader = 'Idempotency-Replayed';

/** Names the fields of a body that are not known, where the interface accepts them. */
export const ignoredFieldsHeader = 'Ignored-Fields';
