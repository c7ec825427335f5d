/**
 * A file that is brought in, as numbered entries: JSON Lines, CSV with a header, or one JSON
 * document with a list. An entry that cannot be read is told with its line, and the rest goes on.
 */
import {createReadStream} from 'node:fs';
import {readFile} from 'node:fs/promises';
import path from 'node:path';
import type {Readable} from 'node:stream';
import {parse, type CsvError} from 'csv-parse';
import {ConfigurationError, reasonOf} from '../errors.ts';

/** Where an entry begins, from 1; in a JSON document its place in the list. */
export type BadLine = {line: number; reason: string};

export type Line = {line: number; value: unknown} | BadLine;

/**
 * Reads `*.csv`, `*.json` (a list, or an object with one list), or else JSON Lines; `-` is the standard input, as JSON Lines.
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

const parsed = (line: number, text: string): Line => {
	try {
		return {line, value: JSON.parse(text) as unknown};
	} catch (error) {
		return {line, reason: `it is not JSON (${reasonOf(error)})`};
	}
};

async function * jsonLines(stream: Readable): AsyncGenerator<Line> {
	let line = 0;
	for await (const text of splitLines(stream.setEncoding('utf8'))) {
		line++;
		const kept = text.replace(/^\uFEFF/, '').trim();
		if (kept) {
			yield parsed(line, kept);
		}
	}
}

/** At line feeds alone: Node's own reader also splits at U+2028, which JSON allows inside of a string. */
async function * splitLines(chunks: AsyncIterable<string>): AsyncGenerator<string> {
	let rest = '';
	for await (const chunk of chunks) {
		const lines = (rest + chunk).split('\n');
		rest = lines.pop()!;
		yield * lines;
	}

	yield rest;
}

function * document(text: string): Generator<Line> {
	const content: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
	const lists = Array.isArray(content) ? [content] : Object.values(content ?? {}).filter(Array.isArray);
	if (lists.length !== 1) {
		throw new TypeError('it has no list of entries');
	}

	for (const [i, value] of lists[0]!.entries()) {
		yield {line: i + 1, value};
	}
}

type Counted = {record: Record<string, string>; info: {lines: number}};

async function * csv(stream: Readable): AsyncGenerator<Line> {
	/** Of records that the parser left out, since the last that it gave. */
	const bad: BadLine[] = [];
	const records = stream.pipe(parse({
		bom: true,
		columns: true,
		info: true,
		skip_empty_lines: true,
		skip_records_with_error: true,
		on_skip(error: CsvError | undefined) {
			bad.push({line: Number(error?.['lines'] ?? 0), reason: reasonOf(error)});
		},
	}));
	// A pipe does not pass errors on.
	stream.on('error', error => records.destroy(error));
	let next = 2;
	for await (const {record, info} of records as AsyncIterable<Counted>) {
		yield * bad.splice(0);
		yield {line: next, value: cellsOf(record)};
		next = info.lines + 1;
	}

	yield * bad;
}

/** An empty cell is an absent field; a list stands as JSON. */
const cellsOf = (record: Record<string, string>): Record<string, unknown> => Object.fromEntries(
	Object.entries(record).filter(([, cell]) => cell !== '').map(([name, cell]) => [name, cell.startsWith('[') ? listOf(cell) : cell]),
);

const listOf = (cell: string): unknown => {
	try {
		return JSON.parse(cell);
	} catch {
		return cell;
	}
};
