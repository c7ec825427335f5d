/**
 * The common form of all history formats: what was said, by whom, in which conversation and when. The code after the readers
 * knows no format.
 */
import type {Entry, RejectedEntry} from '../transfer/entry-reader.ts';
import {ownSource} from '../../instruments/source-of.ts';
import {hasYear, readTime} from '../../platform/clock.ts';
import {cutText} from '../../platform/plain-line.ts';

export type PastText = {
	readonly content: string;
	/** Who said it; `self` for the agent. */
	readonly source: string;
	/** Null if the file names none; pauses then separate conversations. */
	readonly conversation: string | null;
	/** Milliseconds since 1970; null if the file does not say. */
	readonly saidAt: number | null;
	/** Its id, if its program copies texts into the files of other conversations. */
	readonly uuid?: string;
};

/** The agent's description of itself, which the identity begins with. */
export type Persona = {readonly persona: string};

/** What a reader yields, including entries that it cannot read, with their line or their place in a list. */
export type FoundText = PastText | Persona | RejectedEntry;

/** A file, or a folder that is read as one, with its beginning, by which formats recognise it. */
export type PastFile = {
	readonly path: string;
	readonly name: string;
	/** Its first characters; empty for a folder. */
	readonly head: string;
	/** Its first lines that are JSON objects, parsed. */
	readonly values: readonly Fields[];
	readonly isFolder: boolean;
};

/** A format: how to recognise a file of it, and how to read it. */
export type Format = {
	/** In the plural, as users see it. */
	readonly name: string;
	readonly detect: (file: PastFile) => boolean;
	readonly read: (file: PastFile) => AsyncIterable<FoundText> | Iterable<FoundText>;
};

/** A JSON object of unknown shape. */
export type Fields = Readonly<Record<string, unknown>>;

/** The value, if it is an object, else an object without fields. */
export const fieldsOf = (value: unknown): Fields => typeof value === 'object' && value !== null ? value as Fields : {};

/** Converts the values of entries to texts. An unreadable entry passes through unchanged. */
export async function * foundIn(
	entries: AsyncIterable<Entry>, toTexts: (value: unknown, line: number) => Iterable<FoundText>,
): AsyncGenerator<FoundText> {
	for await (const entry of entries) {
		yield * 'reason' in entry ? [entry] : toTexts(entry.value, entry.line);
	}
}

/** In characters. A longer text moves no identity any further, because its encoder truncates much earlier. */
const maxText = 100_000;

/**
 * The text of a message's content: a string, or the texts among its parts, which may also be images and tool calls; ChatGPT has
 * the parts in a field. Empty if there is none.
 */
export const textOf = (content: unknown): string => {
	if (typeof content === 'string') {
		return content;
	}

	const parts = Array.isArray(content) ? content as unknown[] : fieldsOf(content)['parts'];
	return Array.isArray(parts) ? (parts as unknown[]).flatMap(part => {
		const {type = 'text', text} = fieldsOf(part);
		const said = typeof part === 'string' ? part : ['text', 'input_text', 'output_text'].includes(type as string) ? text : null;
		return typeof said === 'string' && said.trim() !== '' ? [said] : [];
	}).join('\n') : '';
};

/** In characters. Only the beginning of a longer text is parsed: the patterns take time by its length. */
const maxTimeText = 100;

/** Separates seconds since 1970, which have ten digits until 2286, from milliseconds, which have thirteen. */
const leastMilliseconds = 1e11;

/** Unambiguous dates of spreadsheets: 5.1.2026 begins with the day everywhere, 2026/1/5 with the year. */
const dotted = /^(?<day>\d\d?)\.(?<month>\d\d?)\.(?<year>\d{4})(?<rest>$|[T ,].*)/;
const yearFirst = /^(?<year>\d{4})[/.](?<month>\d\d?)[/.](?<day>\d\d?)(?<rest>$|[T ,].*)/;

const namedMonth = /\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\b/i;
/** Includes the zones of RFC 5322, which JavaScript knows. */
const namedZone = /(?:\b(?:gmt|utc?|z|[ecmp][ds]t)|[+-]\d\d:?\d\d)(?: ?\(.*\))?$/i;

/**
 * Parses a time in ISO 8601 or with the month's name (in UTC without a zone), or in seconds or milliseconds since 1970. Null if it
 * is not a time, or is ambiguous: 5/1/2026 is May in some countries and January in others.
 */
export const timeOf = (value: unknown): number | null => {
	const time = typeof value === 'string' && !/^\d{9,}(?:\.\d+)?$/.test(value)
		? parseTime(value.trim().slice(0, maxTimeText))
		: toMilliseconds(Number(typeof value === 'string' || typeof value === 'number' ? value : NaN));
	// A number outside the range of years is not a time.
	return hasYear(time) ? Math.round(time) : null;
};

const parseTime = (text: string): number => {
	if (namedMonth.test(text)) {
		// If the year is missing, JavaScript makes one up.
		return /\b\d{4}\b/.test(text) ? Date.parse(namedZone.test(text) ? text : `${text} UTC`) : NaN;
	}

	const {year, month, day, rest} = (dotted.exec(text) ?? yearFirst.exec(text))?.groups ?? {};
	const inOrder = year === undefined ? text : `${year}-${month!.padStart(2, '0')}-${day!.padStart(2, '0')}${rest!.replace(/^, ?/, ' ')}`;
	// Adds the leading zero to an hour such as 8:15. Databases write UTC for Z, and +01 for +01:00.
	return readTime(inOrder.replace(/^(\S+) (\d:)/, '$1 0$2').replace(/ UTC$/i, 'Z').replace(/(:[\d.]+[+-]\d\d)$/, '$1:00'));
};

const toMilliseconds = (time: number): number => time < leastMilliseconds ? 1000 * time : time;

const ownRoles = ['assistant', 'ai', 'model', 'bot', 'agent', 'gpt', 'chatgpt', ownSource];

const roles: ReadonlyMap<unknown, string> = new Map([
	['user', 'user'], ['human', 'user'], ...ownRoles.map(role => [role, ownSource] as const),
]);

/** The speaker of a role: `self` for the agent; null if it is not a speaker's, as with instructions and tool calls. */
export const speakerOf = (role: unknown): string | null => roles.get(typeof role === 'string' ? role.toLowerCase() : role) ?? null;

/** Roles of instructions and tools: what they say is no talk. */
const unspoken: ReadonlySet<unknown> = new Set([
	'system', 'developer', 'tool', 'function', 'tool_use', 'tool_call', 'tool_result', 'toolresult', 'function_call', 'observation',
]);

export const isUnspoken = (role: unknown): boolean => unspoken.has(typeof role === 'string' ? role.toLowerCase() : role);

/** The text as a list of one; empty if it is blank. */
export const said = (content: string, source: string, rest: Pick<PastText, 'conversation' | 'saidAt' | 'uuid'>): PastText[] => {
	const text = content.trim();
	return text === '' ? [] : [{content: cutText(text, maxText), source, ...rest}];
};
