/**
 * A summary of any value that machines hold, as plain JSON of a bounded size: what is large or
 * alive (tensors, services, long lists) stands as a line about it, and texts that somebody
 * wrote as “…” unless they are asked for. Like all that clients are told, it does not tell
 * where the software lies.
 */
import {redactPaths} from '../wire/redact-paths.ts';

/** Keys under which texts stand. `context` is one where it is a text: a translation's; a machine's is an object. */
const textKeys = new Set(['content', 'metadata', 'text', 'context']);

const longestText = 1000;
const longestList = 32;
const mostEntries = 64;
const deepest = 10;

/**
 * @param contents Whether texts are included, each cut to 1000 characters.
 */
export const summarise = (value: unknown, contents: boolean): unknown => {
	try {
		return summary(value, {contents, tell: telling}, 0);
	} catch {
		// A getter or a `toJSON` of what an application brought along. Watching must not break what is watched.
		return '[unreadable]';
	}
};

/** Whether texts are included, and how strings are told where the summary has come to. */
type How = {contents: boolean; tell: (text: string) => string};

const cut = (text: string): string => text.length > longestText ? `${text.slice(0, longestText)}…` : text;

/** Only what has a slash in it can tell of a place. What will not be told is not looked at. */
const telling = (text: string): string => {
	if (!/[/\\]/.test(text)) {
		return cut(text);
	}

	const told = redactPaths(text.slice(0, 2 * longestText));
	return text.length > 2 * longestText ? `${told.slice(0, longestText)}…` : cut(told);
};

const summary = (value: unknown, how: How, depth: number): unknown => {
	switch (typeof value) {
		case 'string': {
			return how.tell(value);
		}

		case 'bigint':
		case 'symbol': {
			return String(value);
		}

		case 'function': {
			return {type: value.name};
		}

		case 'object': {
			return value === null ? null : ofObject(value, how, depth);
		}

		default: {
			return value;
		}
	}
};

const ofObject = (value: object, how: How, depth: number): unknown => {
	if ('toJSON' in value && typeof value.toJSON === 'function') {
		const shown: unknown = value.toJSON();
		return isObject(shown) ? ofPlain(shown, how, depth) : summary(shown, how, depth);
	}

	if (value instanceof Error) {
		return {name: value.name, message: how.tell(value.message)};
	}

	if (ArrayBuffer.isView(value)) {
		return 'length' in value ? `${value.length} numbers` : `${value.byteLength} bytes`;
	}

	const prototype: unknown = Object.getPrototypeOf(value);
	if (Array.isArray(value) || prototype === Object.prototype || prototype === null) {
		return ofPlain(value, how, depth);
	}

	return `[${value.constructor.name}]`;
};

/** A list or a dictionary, entry by entry. */
const ofPlain = (value: object, how: How, depth: number): unknown => {
	if (depth >= deepest) {
		return Array.isArray(value) ? '[…]' : '{…}';
	}

	if (Array.isArray(value)) {
		return value.length > longestList ? `${value.length} items` : value.map(item => summary(item, how, depth + 1));
	}

	const keys = Object.keys(value);
	if (keys.length > mostEntries) {
		return `${keys.length} entries`;
	}

	const shown: Record<string, unknown> = {};
	for (const key of keys) {
		const inner = (value as Record<string, unknown>)[key];
		shown[key] = textKeys.has(key) && isText(key, inner) ? ofText(inner, how, depth) : summary(inner, how, depth + 1);
	}

	return shown;
};

/** What somebody wrote stands as it is, or not at all. */
const ofText = (text: unknown, {contents}: How, depth: number): unknown =>
	contents ? summary(text, {contents, tell: cut}, depth + 1) : '…';

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

const isText = (key: string, value: unknown): boolean => typeof value === 'string' || (key === 'metadata' && isObject(value));
