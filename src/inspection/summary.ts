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
const maxEntries = 64;
const maxDepth = 10;

/**
 * @param contents Whether texts of users are included, each cut to 1000 characters.
 */
export const summarise = (value: unknown, contents: boolean): unknown => {
	try {
		return summariseValue(value, {contents, toText: redactAndCut}, 0);
	} catch {
		// An application's getter or `toJSON` may throw. Watching must not break what is watched.
		return '[unreadable]';
	}
};

/** `toText` differs inside texts of users: their slashes are not paths. */
type Options = {contents: boolean; toText: (text: string) => string};

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
	if (depth >= maxDepth) {
		return Array.isArray(value) ? '[…]' : '{…}';
	}

	if (Array.isArray(value)) {
		return value.length > maxItems ? `${value.length} items` : value.map(item => summariseValue(item, options, depth + 1));
	}

	const entries = Object.entries(value);
	if (entries.length > maxEntries) {
		return `${entries.length} entries`;
	}

	return Object.fromEntries(entries.map(([key, inner]) =>
		[key, isUserText(key, inner) ? summariseUserText(inner, options, depth) : summariseValue(inner, options, depth + 1)]));
};

const summariseUserText = (text: unknown, {contents}: Options, depth: number): unknown =>
	contents ? summariseValue(text, {contents, toText: cut}, depth + 1) : '…';

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

const isUserText = (key: string, value: unknown): boolean =>
	textKeys.has(key) && (typeof value === 'string' || (key === 'metadata' && isObject(value)));
