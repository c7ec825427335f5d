/**
 * A file that is brought in, as numbered entries: JSON Lines, CSV with a header, or one JSON
 * document with a list. An entry that cannot be read is told with its line, and the rest goes on.
 */
import {createReadStream} from 'node:fs';
import {readFile} from 'node:fs/promises';
import path from 'node:path';
import type {Readable} from 'node:stream';
import {parse, type CsvError} from 'csv-parse/sync';
import {ConfigurationError, reasonOf} from '../../errors.ts';

/** Where an entry begins, from 1; in a JSON document its place in the list. */
export type BadLine = {line: number; reason: string};

export type Line = {line: number; value: unknown} | BadLine;

/**
 * Reads `*.csv`, `*.json` (a list of entries, or an object with one), or else JSON Lines; `-` is the standard input, as JSON Lines.
 *
 * @throws {ConfigurationError} when the file cannot be read at all.
 */
export async function * readLines(file: string): AsyncGenerator<Line> {
	try {
		switch (path.extname(file).toLowerCase()) {
			case '.csv': {
				yield * csv(createReadStream(file));
				break;
			}

			case '.json': {
				yield * document(await readFile(file, 'utf8'));
				break;
			}

			default: {
				yield * jsonLines(file === '-' ? process.stdin : createReadStream(file));
			}
		}
	} catch (error) {
		throw new ConfigurationError(`${file} cannot be read: ${reasonOf(error)}`, {cause: error});
	}
}

async function * jsonLines(stream: Readable): AsyncGenerator<Line> {
	for await (const {line, text} of splitLines(stream)) {
		// The byte order mark is white space, too.
		const kept = text.trim();
		if (kept) {
			yield parsed(line, kept);
		}
	}
}

const parsed = (line: number, text: string): Line => {
	try {
		return {line, value: JSON.parse(text) as unknown};
	} catch (error) {
		// The parser's own line is counted in this text alone.
		return {line, reason: `it is not JSON (${reasonOf(error).replace(/ \(line.*\)$/, '')})`};
	}
};

/** Numbered from 1. Split at line feeds alone: Node's own reader also splits at U+2028, which JSON allows inside of a string. */
async function * splitLines(stream: Readable): AsyncGenerator<{line: number; text: string}> {
	let line = 0;
	let rest = '';
	for await (const chunk of stream.setEncoding('utf8') as AsyncIterable<string>) {
		const texts = (rest + chunk).split('\n');
		rest = texts.pop()!;
		for (const text of texts) {
			yield {line: ++line, text};
		}
	}

	yield {line: ++line, text: rest};
}

const withoutMark = (text: string): string => text.replace(/^\uFEFF/, '');

function * document(text: string): Generator<Line> {
	let content: unknown;
	try {
		content = JSON.parse(withoutMark(text));
	} catch (error) {
		throw new TypeError(`it is no JSON document (${reasonOf(error)}). Correct it; where each line is an entry, name it *.jsonl`, {cause: error});
	}

	// An entry by itself may hold lists too, of numbers or texts.
	const [list, ...more] = Array.isArray(content) ? [content as unknown[]] : Object.values(content ?? {}).filter(isListOfEntries);
	if (!list || more.length > 0) {
		throw new TypeError('it has no list of entries. Give one, or an object with one list; a single entry belongs into a file *.jsonl, in one line');
	}

	for (const [i, value] of list.entries()) {
		yield {line: i + 1, value};
	}
}

const isListOfEntries = (value: unknown): value is unknown[] => Array.isArray(value) && (value.length === 0 || value.some(entry => typeof entry === 'object'));

/**
 * Each record is parsed by itself as soon as its quotes are closed, so that its line is known and
 * one that is broken leaves the others whole.
 */
async function * csv(stream: Readable): AsyncGenerator<Line> {
	let header: string[] | null = null;
	let open: {line: number; text: string} | null = null;
	for await (const {line, text} of splitLines(stream)) {
		const record: {line: number; text: string} = open
			? {line: open.line, text: `${open.text}\n${text}`}
			: {line, text: line === 1 ? withoutMark(text) : text};
		// A line without a quote closes none: no need to parse a long text again at each of its lines.
		const cells: ReturnType<typeof cellsOf> = open && !text.includes('"') ? 'open' : cellsOf(record.text);
		open = cells === 'open' ? record : null;
		if (cells === 'broken') {
			yield {line: record.line, reason: brokenQuotes};
		} else if (cells !== 'open' && cells.some(cell => cell.trim())) {
			if (header) {
				yield named(record.line, header, cells);
			} else {
				header = cells;
			}
		}
	}

	if (open) {
		yield {line: open.line, reason: 'a quote in it is not closed before the end of the file'};
	}
}

const brokenQuotes = 'its quotes are not those of CSV: a cell is quoted as a whole, and a quote inside stands twice';

/** `open` where a quoted cell goes on in the next line. */
const cellsOf = (record: string): string[] | 'open' | 'broken' => {
	try {
		return (parse(record.replace(/\r$/, ''), {record_delimiter: '\n'}) as string[][])[0] ?? [];
	} catch (error) {
		return (error as CsvError).code === 'CSV_QUOTE_NOT_CLOSED' ? 'open' : 'broken';
	}
};

/** An empty cell is an absent field. */
const named = (line: number, header: readonly string[], cells: readonly string[]): Line => cells.length === header.length
	? {line, value: Object.fromEntries(header.map((name, i) => [name, cells[i]!] as const).filter(([, cell]) => cell !== ''))}
	: {line, reason: `it has ${cells.length} cells where the header has ${header.length}`};
