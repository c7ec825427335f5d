/**
 * A summary of any value that a machine holds, as plain JSON of a bounded size. Large and live
 * values (tensors, services, long lists) become a phrase about them. Texts that a user wrote
 * become “…” unless they are asked for. Paths of this machine are redacted, as for all clients.
 */
import {redactPaths} from '../wire/redact-paths.ts';

/** Keys whose values are texts of users. A translation's `context` is one; a machine's is an object and is not. */
const textKeys = new Set(['content', 'metadata', 'text', 'context']);

const maxTextLength = 1000;
const maxItems = 32;
/** A longer list, as of the daemon's themes, would come again with every snapshot. */
const maxListLength = 256;
const maxEntries = 64;
/** Enough for the values of a context. What lies deeper is mostly a copy of what another machine holds. */
const maxLevels = 3;

/**
 * @param contents Whether texts of users are included, each cut to 1000 characters.
 * @param levels How many levels of objects are shown.
 */
export const summarise = (value: unknown, contents: boolean, levels = maxLevels): unknown => {
	try {
		return summariseValue(value, {contents, toText: redactAndCut, maxListLength}, maxLevels - levels);
	} catch {
		// An application's getter or `toJSON` may throw. Watching must not break what is watched.
		return '[unreadable]';
	}
};

/** Both differ inside texts of users: their slashes are not paths, and their lists were asked for. */
type Options = {contents: boolean; toText: (text: string) => string; maxListLength: number};

const cut = (text: string): string => text.length > maxTextLength ? `${text.slice(0, maxTextLength)}…` : text;

/** Most strings have no slash: they are not searched for paths. Nor is text that is cut off anyway. */
const redactAndCut = (text: string): string => {
	if (!/[/\\]/.test(text)) {
		return cut(text);
	}

	const redacted = redactPaths(text.slice(0, 2 * maxTextLength));
	return text.length > 2 * maxTextLength ? `${redacted.slice(0, maxTextLength)}…` : cut(redacted);
};

const summariseValue = (value: unknown, options: Options, depth: number): unknown => {
	switch (typeof value) {
		case 'string': {
			return options.toText(value);
		}

		case 'number': {
			return Number.isInteger(value) ? value : Number(value.toPrecision(6));
		}

		case 'bigint':
		case 'symbol': {
			return String(value);
		}

		case 'function': {
			return {type: value.name};
		}

		case 'object': {
			return value === null ? null : summariseObject(value, options, depth);
		}

		default: {
			return value;
		}
	}
};

const summariseObject = (value: object, options: Options, depth: number): unknown => {
	if ('toJSON' in value && typeof value.toJSON === 'function') {
		const json: unknown = value.toJSON();
		return isObject(json) ? summariseEntries(json, options, depth) : summariseValue(json, options, depth);
	}

	if (value instanceof Error) {
		return {name: value.name, message: options.toText(value.message)};
	}

	if (ArrayBuffer.isView(value)) {
		return 'length' in value ? `${value.length} numbers` : `${value.byteLength} bytes`;
	}

	const prototype: unknown = Object.getPrototypeOf(value);
	if (Array.isArray(value) || prototype === Object.prototype || prototype === null) {
		return summariseEntries(value, options, depth);
	}

	return `[${value.constructor.name}]`;
};

const summariseEntries = (value: object, options: Options, depth: number): unknown => {
	if (Array.isArray(value)) {
		// A list is short: its own level does not count.
		return depth > maxLevels ? '[…]' : summariseList(value, options, depth);
	}

	if (depth >= maxLevels) {
		return '{…}';
	}

	const entries = Object.entries(value);
	if (entries.length > maxEntries) {
		return `${entries.length} entries`;
	}

	return Object.fromEntries(entries.map(([key, inner]) =>
		[key, isUserText(key, inner) ? summariseUserText(inner, options, depth) : summariseValue(inner, options, depth + 1)]));
};

const summariseUserText = (text: unknown, {contents}: Options, depth: number): unknown =>
	contents ? summariseValue(text, {contents, toText: cut, maxListLength: Infinity}, depth + 1) : '…';

const summariseList = (list: readonly unknown[], options: Options, depth: number): unknown => {
	const items = list.length > maxItems ? null : list.map(item => summariseValue(item, options, depth + 1));
	return items && JSON.stringify(items).length <= options.maxListLength ? items : `${list.length} items`;
};

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

const isUserText = (key: string, value: unknown): boolean =>
	textKeys.has(key) && (typeof value === 'string' || (key === 'metadata' && isObject(value)));
