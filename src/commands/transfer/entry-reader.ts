/**
 * Reads the entries of a file: JSON Lines, CSV with a header (commas, semicolons or tabs), or one JSON document with a list, or
 * an agent file. An entry that cannot be read is reported with its line, and reading continues.
 */
import {createReadStream} from 'node:fs';
import {readFile} from 'node:fs/promises';
import path from 'node:path';
import type {Readable} from 'node:stream';
import {parse, type CsvError} from 'csv-parse/sync';
import {ConfigurationError, reasonOf} from '../../platform/errors.ts';
import {unfoldExport} from './agent-exports.ts';

/** An entry that cannot be used. `line` is where it begins, from 1; in a JSON document its position in the list. */
export type RejectedEntry = {line: number; reason: string};

export type Entry = {line: number; value: unknown} | RejectedEntry;

/**
 * Reads `*.csv`, `*.json` (a list of entries, or an object with one), `*.af` (an agent file), or else JSON Lines. `-`
 * is the standard input, as JSON Lines.
 *
 * @throws {ConfigurationError} if the file cannot be read at all.
 */
export async function * readEntries(file: string): AsyncGenerator<Entry> {
	try {
		switch (path.extname(file).toLowerCase()) {
			case '.csv': {
				yield * readCsv(createReadStream(file));
				break;
			}

			case '.af':
			case '.json': {
				yield * readDocument(await readFile(file, 'utf8'));
				break;
			}

			default: {
				yield * readJsonLines(file);
			}
		}
	} catch (error) {
		throw new ConfigurationError(`${file} cannot be read: ${reasonOf(error)}`, {cause: error});
	}
}

/** Reads a value a line, and passes over blank lines. @param file `-` is the standard input */
export async function * readJsonLines(file: string): AsyncGenerator<Entry> {
	for await (const {line, text} of splitLines(file === '-' ? process.stdin : createReadStream(file))) {
		// This also removes a byte order mark.
		const trimmed = text.trim();
		if (trimmed) {
			yield parseLine(line, trimmed);
		}
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

/** The lines of a file, numbered from 1. */
export const readLines = (file: string, encoding: BufferEncoding = 'utf8'): AsyncGenerator<{line: number; text: string}> =>
	splitLines(createReadStream(file), encoding);

/** No line that means something is longer; of one that is, the beginning is kept, which is no entry. */
const maxLine = 2 ** 26;

/** Lines numbered from 1. Node's line reader also splits at U+2028, which JSON allows within a string. */
async function * splitLines(stream: Readable, encoding: BufferEncoding = 'utf8'): AsyncGenerator<{line: number; text: string}> {
	let line = 0;
	let rest = '';
	for await (const chunk of stream.setEncoding(encoding) as AsyncIterable<string>) {
		const texts = (rest + chunk).split('\n');
		rest = texts.pop()!.slice(0, maxLine);
		for (const text of texts) {
			yield {line: ++line, text};
		}
	}

	yield {line: ++line, text: rest};
}

const removeByteOrderMark = (text: string): string => text.replace(/^\uFEFF/, '');

function * readDocument(text: string): Generator<Entry> {
	let content: unknown;
	try {
		content = JSON.parse(removeByteOrderMark(text));
		// Some programs write the text of an agent file as a string.
		content = typeof content === 'string' ? JSON.parse(content) : content;
	} catch (error) {
		throw new TypeError('it is not a JSON document '
			+ `(${reasonOf(error)}). Correct it; if each line is an entry, name the file *.jsonl`, {cause: error});
	}

	// A single entry may have lists too, of numbers or texts.
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

/**
 * Parses each record separately as soon as its quotes are closed: its line is known, and a broken
 * record does not affect the others.
 */
async function * readCsv(stream: Readable): AsyncGenerator<Entry> {
	let header: string[] | null = null;
	let delimiter = ',';
	let open: {line: number; text: string} | null = null;
	for await (const {line, text} of splitLines(stream)) {
		const record: {line: number; text: string} = open
			? {line: open.line, text: `${open.text}\n${text}`}
			: {line, text: line === 1 ? removeByteOrderMark(text) : text};
		// A line without a quote cannot close one, so a long text is not parsed again at each of its lines.
		delimiter = header ? delimiter : delimiterOf(record.text);
		const cells: ReturnType<typeof parseCells> = open && !text.includes('"') ? 'open' : parseCells(record.text, delimiter);
		open = cells === 'open' ? record : null;
		if (cells === 'broken') {
			yield {line: record.line, reason: brokenQuotes};
		} else if (cells !== 'open' && cells.some(cell => cell.trim())) {
			if (header) {
				yield toEntry(record.line, header, cells);
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

/** Spreadsheets write semicolons where the comma divides a number, and tabs when cells are copied. */
const delimiters = [',', ';', '\t'] as const;

/** The one by which a header has the most columns; the comma where none has more. */
const delimiterOf = (header: string): string => {
	const columns = (delimiter: string): number => header.split(delimiter).length;
	return delimiters.reduce<string>((best, delimiter) => columns(delimiter) > columns(best) ? delimiter : best, ',');
};

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
