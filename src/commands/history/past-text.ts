/**
 * What a reader of a history finds: what was said, by whom, where and when. Every format becomes this, so that what
 * follows knows no format.
 */
import type {Entry, RejectedEntry} from '../transfer/entry-reader.ts';
import {ownSource} from '../../instruments/source-of.ts';
import {hasYear, readTime} from '../../platform/clock.ts';
import {cutText} from '../../platform/plain-line.ts';

export type PastText = {
	readonly content: string;
	/** Who said it; `self` is the agent. */
	readonly source: string;
	/** Null where the file names none: pauses divide it then. */
	readonly conversation: string | null;
	/** Milliseconds since 1970; null where the file does not say it. */
	readonly saidAt: number | null;
};

/** Who the agent is, in the words of its file: what the identity begins with. */
export type Persona = {readonly persona: string};

/** What a reader yields: also what it cannot read, with its line or its place in a list. */
export type FoundText = PastText | Persona | RejectedEntry;

/** A file, or a folder that is one thing, and its beginning, by which formats know it. */
export type PastFile = {
	readonly path: string;
	readonly name: string;
	/** Its first characters; empty for a folder. */
	readonly head: string;
	/** The values of its first lines, as far as they are JSON. */
	readonly values: readonly Fields[];
	readonly isFolder: boolean;
};

/** A format: how a file of it is known, and how it is read. */
export type Format = {
	/** In the plural, as it is told. */
	readonly name: string;
	readonly detect: (file: PastFile) => boolean;
	readonly read: (file: PastFile) => AsyncIterable<FoundText> | Iterable<FoundText>;
};

/** A value as JSON gives it, of which nothing is known. */
export type Fields = Readonly<Record<string, unknown>>;

/** The object that a value is; one without fields where it is none. */
export const fieldsOf = (value: unknown): Fields => typeof value === 'object' && value !== null ? value as Fields : {};

/** What the values of entries become. An entry that cannot be read stays what it is. */
export async function * foundIn(
	entries: AsyncIterable<Entry>, toTexts: (value: unknown, line: number) => Iterable<FoundText>,
): AsyncGenerator<FoundText> {
	for await (const entry of entries) {
		yield * 'reason' in entry ? [entry] : toTexts(entry.value, entry.line);
	}
}

/** More of one text moves no identity: its encoder has read its fill long before. */
const maxText = 100_000;

/**
 * The text of a message's content: a string, parts with texts among images and calls of tools, or what ChatGPT has.
 * Empty where there is none.
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

/** Seconds since 1970 have ten digits until 2286, milliseconds thirteen. */
const leastMilliseconds = 1e11;

/** Days that spreadsheets write and that have one meaning: 5.1.2026 begins with the day everywhere, 2026/1/5 with the year. */
const dotted = /^(?<day>\d\d?)\.(?<month>\d\d?)\.(?<year>\d{4})(?<rest>$|[T ,].*)/;
const yearFirst = /^(?<year>\d{4})[/.](?<month>\d\d?)[/.](?<day>\d\d?)(?<rest>$|[T ,].*)/;

const namedMonth = /\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\b/i;
/** Also those of RFC 5322, which JavaScript knows. */
const namedZone = /(?:\b(?:gmt|utc?|z|[ecmp][ds]t)|[+-]\d\d:?\d\d)(?: ?\(.*\))?$/i;

/**
 * A time: in ISO 8601 or with the month's name, without a zone in UTC; or seconds or milliseconds since 1970. Null for what is
 * none, and for 5/1/2026, which is May here and January there.
 */
export const timeOf = (value: unknown): number | null => {
	const time = typeof value === 'string' && !/^\d{9,}(?:\.\d+)?$/.test(value)
		? parseTime(value.trim())
		: toMilliseconds(Number(typeof value === 'string' || typeof value === 'number' ? value : NaN));
	// What has no year is no time, but a number of something else.
	return hasYear(time) ? Math.round(time) : null;
};

const parseTime = (text: string): number => {
	if (namedMonth.test(text)) {
		// JavaScript makes up a year where there is none.
		return /\b\d{4}\b/.test(text) ? Date.parse(namedZone.test(text) ? text : `${text} UTC`) : NaN;
	}

	const {year, month, day, rest} = (dotted.exec(text) ?? yearFirst.exec(text))?.groups ?? {};
	const inOrder = year === undefined ? text : `${year}-${month!.padStart(2, '0')}-${day!.padStart(2, '0')}${rest!.replace(/^, ?/, ' ')}`;
	// A clock without its zero, as in 8:15.
	return readTime(inOrder.replace(/^(\S+) (\d:)/, '$1 0$2'));
};

const toMilliseconds = (time: number): number => time < leastMilliseconds ? 1000 * time : time;

const ownRoles = ['assistant', 'ai', 'model', 'bot', 'agent', 'gpt', 'chatgpt', ownSource];

const roles: ReadonlyMap<unknown, string> = new Map([
	['user', 'user'], ['human', 'user'], ...ownRoles.map(role => [role, ownSource] as const),
]);

/** Who speaks in a role: `self` for the agent; null for what no one says, such as instructions and calls of tools. */
export const speakerOf = (role: unknown): string | null => roles.get(typeof role === 'string' ? role.toLowerCase() : role) ?? null;

/** A text that was said, if there is one. */
export const said = (content: string, source: string, rest: Pick<PastText, 'conversation' | 'saidAt'>): PastText[] => {
	const text = content.trim();
	return text === '' ? [] : [{content: cutText(text, maxText), source, ...rest}];
};
