/**
 * What a reader of a history finds: what was said, by whom, where and when. Every format becomes this, so that what
 * follows knows no format.
 */
import type {RejectedEntry} from '../transfer/entry-reader.ts';
import {ownSource} from '../../instruments/source-of.ts';
import {cutText} from '../../platform/plain-line.ts';

/** A text that was said. */
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

/** A day and a time without a zone, which is read as UTC. */
const withoutZone = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?$/;

/** A time: in ISO 8601, or seconds or milliseconds since 1970. Null for what is none. */
export const timeOf = (value: unknown): number | null => {
	const time = typeof value === 'string' && !/^\d{9,}(?:\.\d+)?$/.test(value)
		? Date.parse(withoutZone.test(value) ? `${value}Z` : value)
		: toMilliseconds(Number(typeof value === 'string' || typeof value === 'number' ? value : NaN));
	return Math.abs(time) < 8.64e15 ? Math.round(time) : null;
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
