/** Names on the wire without a schema: for a client, and for events. Keys that are data are told by their paths. */

/** What a client needs of a question. */
export type Row = {
	readonly method: 'GET' | 'POST';
	readonly path: string;
	/** Where keys of a request are data; without it nothing is asked. */
	readonly ask?: readonly string[];
	/** Where keys of an answer are data: a dotted path, with `*` for items and values, and `**` for all that is within. */
	readonly answer: readonly string[];
	/** Whether the library has no such method: the service is asked. */
	readonly isOfService?: true;
	/** Names of a request that are not the same in snake_case. */
	readonly renames?: Readonly<Record<string, string>>;
};

/** Of a service that makes names up, no more are kept. */
const maxKept = 1000;

const cached = (rename: (name: string) => string): ((name: string) => string) => {
	const names = new Map<string, string>();
	return name => {
		const known = names.get(name);
		if (known !== undefined) {
			return known;
		}

		const renamed = rename(name);
		if (names.size < maxKept) {
			names.set(name, renamed);
		}

		return renamed;
	};
};

export const snakeName = cached(name => name.replaceAll(/[A-Z]/g, letter => `_${letter.toLowerCase()}`));
export const camelName = cached(name => name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()));

/** A copy with the record's own keys renamed, in the same order; keys of nested records stay. */
export const renameOwn = (fields: object, nameOf: (name: string) => string): object =>
	Object.fromEntries(Object.entries(fields).map(([name, value]) => [nameOf(name), value]));

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
