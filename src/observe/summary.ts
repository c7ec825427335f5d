/**
 * Summarises any value in a machine as plain JSON of at most 24 KiB. Large and live values (tensors, services, long lists)
 * become a short description. Texts of users become “…” unless they are requested. File paths are redacted, as for all
 * clients.
 */
import {copyBeginning, cutText} from '../platform/plain-line.ts';
import {redactPaths} from '../wire/errors.ts';

/** Keys whose values are texts of users. The `context` of a translation is one; that of a machine is an object, and is not. */
const textKeys = new Set(['content', 'metadata', 'text', 'context']);

const maxTextLength = 1000;
const maxItems = 32;
/** Most characters of a list as JSON. A longer list, such as the daemon's themes, would be repeated in every snapshot. */
const maxListLength = 256;
const maxEntries = 64;
/** Most bytes of one summary as JSON: a frame with its other fields then stays under 64 KB. */
const maxBytes = 24 * 1024;
/** Enough for the values of a context. Deeper values are mostly copies from another machine. */
const maxLevels = 3;

/**
 * @param contents Whether to include texts of users, each cut to 1000 characters.
 * @param levels The number of levels of objects to show.
 */
export const summarise = (value: unknown, contents: boolean, levels = maxLevels): unknown => {
	try {
		return summariseValue(value, {contents, toText: redactAndCut, maxListLength, room: {bytes: maxBytes}}, maxLevels - levels);
	} catch {
		// An application's getter or `toJSON` may throw, but inspection must not break the identity.
		return '[unreadable]';
	}
};

/** `toText` and `maxListLength` differ inside texts of users: their slashes are not paths, and their lists were requested. */
type Options = {
	contents: boolean;
	toText: (text: string) => string;
	maxListLength: number;
	/** The bytes left for the summary. */
	room: {bytes: number};
};

const encoder = new TextEncoder();

/** The bytes of a value in JSON, including a possible marker beside it. An upper bound for a short text. */
const bytesOf = (value: string | number): number =>
	32 + (typeof value === 'string' && value.length > 40 ? encoder.encode(JSON.stringify(value)).length : 6 * String(value).length);

/** Takes room for a value; returns false if it does not fit. */
const takeRoom = ({room}: Options, value: string | number): boolean => {
	const bytes = bytesOf(value);
	if (bytes > room.bytes) {
		return false;
	}

	room.bytes -= bytes;
	return true;
};

const fitted = <Value extends string | number>(value: Value, options: Options): Value | '…' => takeRoom(options, value) ? value : '…';

const cut = (text: string): string => copyBeginning(text, maxTextLength, cutText);

/** Searches for paths only in strings with slashes, which are rare, and not in text that is cut off anyway. */
const redactAndCut = (text: string): string => {
	if (!/[/\\]/.test(text)) {
		return cut(text);
	}

	const redacted = redactPaths(text.slice(0, 2 * maxTextLength));
	return text.length > 2 * maxTextLength ? `${copyBeginning(redacted, maxTextLength)}…` : cut(redacted);
};

const summariseValue = (value: unknown, options: Options, depth: number): unknown => {
	switch (typeof value) {
		case 'string': return fitted(options.toText(value), options);
		case 'number': return fitted(Number.isInteger(value) ? value : Number(value.toPrecision(6)), options);
		case 'bigint':
		case 'symbol': return fitted(cut(String(value)), options);
		case 'function': return {type: fitted(cut(value.name), options)};
		case 'object': return value === null ? null : summariseObject(value, options, depth);
		default: return value;
	}
};

const summariseObject = (value: object, options: Options, depth: number): unknown => {
	if ('toJSON' in value && typeof value.toJSON === 'function') {
		const json: unknown = value.toJSON();
		return isObject(json) ? summariseEntries(json, options, depth) : summariseValue(json, options, depth);
	}

	if (value instanceof Error) {
		return {name: fitted(cut(value.name), options), message: fitted(options.toText(value.message), options)};
	}

	if (ArrayBuffer.isView(value)) {
		return 'length' in value ? `${value.length} numbers` : `${value.byteLength} bytes`;
	}

	const prototype: unknown = Object.getPrototypeOf(value);
	if (Array.isArray(value) || prototype === Object.prototype || prototype === null) {
		return summariseEntries(value, options, depth);
	}

	return fitted(`[${cut(value.constructor.name)}]`, options);
};

const summariseEntries = (value: object, options: Options, depth: number): unknown => {
	if (Array.isArray(value)) {
		// Lists are short, so their level does not count.
		return depth > maxLevels ? '[…]' : summariseList(value, options, depth);
	}

	if (depth >= maxLevels) {
		return '{…}';
	}

	const entries = Object.entries(value);
	if (entries.length > maxEntries) {
		return `${entries.length} entries`;
	}

	const summary: Record<string, unknown> = {};
	// The context is the largest part of a snapshot, so it comes last.
	for (const [index, [key, inner]] of entries.toSorted(([a], [b]) => Number(a === 'context') - Number(b === 'context')).entries()) {
		if (!takeRoom(options, key)) {
			summary['…'] = `${entries.length - index} more entries`;
			break;
		}

		summary[key] = isUserText(key, inner) ? summariseUserText(inner, options, depth) : summariseValue(inner, options, depth + 1);
	}

	return summary;
};

const summariseUserText = (text: unknown, {contents, room}: Options, depth: number): unknown =>
	contents ? summariseValue(text, {contents, toText: cut, maxListLength: Infinity, room}, depth + 1) : '…';

const summariseList = (list: readonly unknown[], options: Options, depth: number): unknown => {
	const {room: {bytes}} = options;
	const items = list.length > maxItems ? null : list.map(item => summariseValue(item, options, depth + 1));
	if (items && JSON.stringify(items).length <= options.maxListLength) {
		return items;
	}

	// Items that are not shown give their room back.
	options.room.bytes = bytes;
	return `${list.length} items`;
};

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

const isUserText = (key: string, value: unknown): boolean =>
	textKeys.has(key) && (typeof value === 'string' || (key === 'metadata' && isObject(value)));
