/**
 * Reads the entries of a file: JSON Lines, CSV with a header (commas, semicolons or tabs), a JSON document with a list, or an
 * agent file. An entry that cannot be read is reported with its line, and reading continues.
 *
 * The bytes are UTF-8, or UTF-16 with a byte order mark, as Windows writes it. Other encodings are not guessed, because a wrong guess
 * would change the words.
 */
import {isUtf8} from 'node:buffer';
import {createReadStream} from 'node:fs';
import {readFile} from 'node:fs/promises';
import path from 'node:path';
import type {Readable} from 'node:stream';
import {JSONParser} from '@streamparser/json';
import {parse, type CsvError} from 'csv-parse/sync';
import {ConfigurationError, reasonOf, withErrors} from '../../platform/errors.ts';
import {unfoldExport} from './agent-exports.ts';

/** An entry that cannot be used. `line` is where it begins, from 1; in a JSON document its position in the list. */
export type RejectedEntry = {line: number; reason: string};

/** Whether the name is that of a table. */
export const isTable = (file: string): boolean => /\.[ct]sv$/i.test(file);

export type Entry = {line: number; value: unknown} | RejectedEntry;

/**
 * Reads `*.csv` or `*.tsv`, `*.json` (a list of entries, or an object with one), `*.af` (an agent file), or else JSON Lines. `-`
 * is standard input, as JSON Lines.
 *
 * @throws {ConfigurationError} if the file cannot be read at all.
 */
export async function * readEntries(file: string): AsyncGenerator<Entry> {
	const ending = path.extname(file).toLowerCase();
	try {
		if (isTable(file)) {
			yield * readCsv(createReadStream(file));
		} else if (ending === '.af' || ending === '.json') {
			const bytes = await readFile(file);
			yield * readDocument(decoderOf(bytes)(bytes));
		} else {
			yield * readJsonLines(file);
		}
	} catch (error) {
		throw new ConfigurationError(`${file} cannot be read: ${reasonOf(error)}`, {cause: error});
	}
}

/** Reads one value per line, and skips blank lines. @param file `-` is standard input. */
export async function * readJsonLines(file: string): AsyncGenerator<Entry> {
	for await (const {line, text, isRead} of splitLines(file === '-' ? process.stdin : createReadStream(file))) {
		const trimmed = text.trim();
		if (trimmed) {
			yield isRead ? parseLine(line, trimmed) : {line, reason: notUtf8};
		}
	}
}

/**
 * Streams the elements of a JSON document that is a list, or of the list in one of its fields: an export may be larger than the memory.
 * An element's `line` is its place, from 1.
 *
 * @param field The list's name; null if the document is the list.
 * @throws {ConfigurationError} if the document breaks off or is not JSON; complete elements before that are yielded.
 */
export async function * readJsonList(file: string, field: string | null): AsyncGenerator<Entry> {
	let found: Entry[] = [];
	let line = 0;
	const parser = new JSONParser({paths: [field === null ? '$.*' : `$.${field}.*`], keepStack: false, stringBufferSize: 65_536});
	parser.onValue = ({value}) => found.push({line: ++line, value});

	let decode: Decode | undefined;
	try {
		for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
			decode ??= decoderOf(chunk);
			parser.write(decode(chunk, {stream: true}));
			yield * found;
			found = [];
		}

		if (!parser.isEnded) {
			throw new TypeError('it is cut off');
		}
	} catch (error) {
		yield * found;
		throw new ConfigurationError(`${file} is not a complete JSON document: ${reasonOf(error)}`, {cause: error});
	}
}

const parseLine = (line: number, text: string): Entry => {
	try {
		return {line, value: JSON.parse(text) as unknown};
	} catch (error) {
		// The parser counts lines within this text only.
		return {line, reason: `it is not JSON (${reasonOf(error).replace(/ \(line.*\)$/, '')})`};
	}
};

/** A line, from 1. `isRead` is false if it is not valid UTF-8; its text then has replacement characters. */
type Line = {readonly line: number; readonly text: string; readonly isRead: boolean};

/** The lines of a file, numbered from 1. @param isRaw Whether to read one character per byte, in any encoding. */
export const readLines = (file: string, {isRaw = false} = {}): AsyncGenerator<Line> => splitLines(createReadStream(file), isRaw);

/** In characters. No meaningful line is longer; of a longer one only the beginning is kept, which is not a valid entry. */
const maxLine = 2 ** 26;

/** Lines from 1, without a byte order mark. Not with Node's line reader: it also splits at U+2028, which JSON strings may contain. */
async function * splitLines(stream: Readable, isRaw = false): AsyncGenerator<Line> {
	let line = 0;
	let rest = '';
	// The decoder for UTF-16; null for any other encoding; undefined before the first chunk.
	let decode: Decode | null | undefined = isRaw ? null : undefined;
	const toLine = (text: string): Line => {
		const read = isRaw || decode ? {text, isRead: true} : decodeLine(text);
		return {line: ++line, ...read, ...(line === 1 && {text: removeByteOrderMark(read.text)})};
	};

	for await (const chunk of stream as AsyncIterable<Buffer>) {
		if (decode === undefined) {
			decode = utf16DecoderOf(chunk);
		}

		const [continued, ...begun] = (decode?.(chunk, {stream: true}) ?? chunk.toString('latin1')).split('\n');
		// Only the new characters are searched for a line break: a long line comes in thousands of chunks.
		rest += rest.length < maxLine ? continued : '';
		for (const text of begun) {
			yield toLine(rest);
			rest = text;
		}
	}

	yield toLine(rest);
}

const removeByteOrderMark = (text: string): string => text.replace(/^\uFEFF/, '');

function * readDocument(text: string): Generator<Entry> {
	let content: unknown;
	try {
		content = JSON.parse(text);
		// Some programs write the text of an agent file as a string.
		content = typeof content === 'string' ? JSON.parse(content) : content;
	} catch (error) {
		throw new TypeError('it is not a JSON document '
			+ `(${reasonOf(error)}). Correct it; if each line is an entry, name the file *.jsonl`, {cause: error});
	}

	// A single entry may also have lists, but of numbers or texts.
	const whole = Array.isArray(content) ? content as unknown[] : unfoldExport(content);
	const [list, ...more] = whole ? [whole] : Object.values(content ?? {}).filter(isListOfEntries);
	if (!list || more.length > 0) {
		throw new TypeError('it has no list of entries. Give a list, or an object with one list; '
			+ 'put a single entry on one line of a file *.jsonl');
	}

	for (const [i, value] of list.entries()) {
		yield {line: i + 1, value};
	}
}

const isListOfEntries = (value: unknown): value is unknown[] =>
	Array.isArray(value) && (value.length === 0 || value.some(entry => typeof entry === 'object'));

/** Parses each record as soon as its quotes are closed. So its line is known, and a broken record does not affect the others. */
async function * readCsv(stream: Readable): AsyncGenerator<Entry> {
	let header: string[] | null = null;
	let delimiter = ',';
	let open: Line | null = null;
	for await (const {line, text, isRead} of splitLines(stream)) {
		const record: Line = open
			? {line: open.line, text: `${open.text}\n${text}`, isRead: open.isRead && isRead}
			: {line, text, isRead};
		// A line that tells spreadsheets the delimiter is not the header.
		if (!header && /^sep=.\r?$/i.test(record.text)) {
			continue;
		}

		// A line without a single quote cannot close one, so a long text is not parsed again at each of its lines.
		delimiter = header ? delimiter : delimiterOf(record.text);
		const mayClose = text.replaceAll('""', '').includes('"');
		const cells: ReturnType<typeof parseCells> = open && !mayClose ? 'open' : parseCells(record.text, delimiter);
		open = cells === 'open' ? record : null;
		if (cells === 'broken') {
			yield {line: record.line, reason: brokenQuotes};
		} else if (cells !== 'open' && cells.some(cell => cell.trim())) {
			if (header) {
				yield record.isRead ? toEntry(record.line, header, cells) : {line: record.line, reason: notUtf8};
			} else {
				header = cells;
			}
		}
	}

	if (open) {
		yield {line: open.line, reason: 'it has a quote that is not closed before the end of the file'};
	}
}

const brokenQuotes = 'its quotes are not valid CSV: quote a whole cell, and double each quote within it';

/** Spreadsheets write semicolons if the comma is their decimal separator, and tabs when cells are copied. */
const delimiters = [',', ';', '\t'] as const;

/** The delimiter that gives the header the most columns; a comma if they tie. */
const delimiterOf = (header: string): string =>
	delimiters.toSorted((one, other) => header.split(other).length - header.split(one).length)[0]!;

/** `open` if a quoted cell continues on the next line. */
const parseCells = (record: string, delimiter: string): string[] | 'open' | 'broken' => {
	try {
		return (parse(record.replace(/\r$/, ''), {record_delimiter: '\n', delimiter}) as string[][])[0] ?? [];
	} catch (error) {
		return (error as CsvError).code === 'CSV_QUOTE_NOT_CLOSED' ? 'open' : 'broken';
	}
};

/** An empty cell is an absent field. */
const toEntry = (line: number, header: readonly string[], cells: readonly string[]): Entry => cells.length === header.length
	? {line, value: Object.fromEntries(header.map((name, i) => [name, cells[i]!] as const).filter(([, cell]) => cell !== ''))}
	: {line, reason: `it has ${cells.length} cells where the header has ${header.length}`};

/** The reason why a line or a document is rejected. */
export const notUtf8 = 'it is not in UTF-8: convert the file, for example with “iconv -f WINDOWS-1252 -t UTF-8”';

/** Bytes → text. With `stream`, more bytes follow. */
type Decode = (bytes: Uint8Array, options?: {readonly stream?: boolean}) => string;

/** The decoder for a text that begins with these bytes, if they are a UTF-16 mark, which it removes; else null. */
export const utf16DecoderOf = ([first, second]: Uint8Array): Decode | null => {
	const encoding = first === 0xFF && second === 0xFE ? 'utf-16le' : first === 0xFE && second === 0xFF ? 'utf-16be' : null;
	const decoder = encoding && new TextDecoder(encoding);
	return decoder && ((bytes, options) => decoder.decode(bytes, options));
};

/** The decoder for a document that begins with these bytes. It throws a TypeError if the document is neither UTF-16 nor UTF-8. */
const decoderOf = (beginning: Uint8Array): Decode => {
	const decoder = new TextDecoder('utf-8', {fatal: true});
	return utf16DecoderOf(beginning) ?? ((bytes, options) =>
		withErrors(() => decoder.decode(bytes, options), error => new TypeError(notUtf8, {cause: error})));
};

/** Decodes a line that was read as Latin-1, one character per byte. `isRead` is false if it is not valid UTF-8. */
const decodeLine = (raw: string): {readonly text: string; readonly isRead: boolean} => {
	// Fast path: most lines are ASCII only.
	if (!/[\u0080-\u00FF]/.test(raw)) {
		return {text: raw, isRead: true};
	}

	const bytes = Buffer.from(raw, 'latin1');
	return {text: bytes.toString('utf8'), isRead: isUtf8(bytes)};
};
