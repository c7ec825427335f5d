/** Output for a terminal: tables, whose cells may be strangers' words, which must not control it; no error when it is closed. */
import {ProcessualError, reasonOf} from '../platform/errors.ts';
import {plainLine} from '../platform/plain-line.ts';
import {phrase} from '../platform/phrase.ts';

export type Cell = string | number | boolean | null;

const textOf = (cell: Cell): string => {
	if (typeof cell === 'boolean') {
		return cell ? phrase`yes` : phrase`no`;
	}

	return cell === null ? '–' : plainLine(String(cell));
};

/** A number, as it is or formatted. */
const numeric = /^[-+]?\d[\d.,]*\s?%?$/;

/** All cells must be numbers: a name that happens to be a number must not align a column of names to the right. */
const isNumeric = (cells: readonly string[]): boolean =>
	cells.some(cell => numeric.test(cell)) && cells.every(cell => cell === '' || cell === '–' || numeric.test(cell));

const narrow = /^[\u0020-\u007E]*$/;

/** Characters that fill two columns of a terminal: emoji, and East Asian letters. */
const wide = new RegExp(
	'\\p{Emoji_Presentation}|[\\u1100-\\u115F\\u2E80-\\u303E\\u3041-\\uA4CF\\uAC00-\\uD7A3\\uF900-\\uFAFF\\uFE30-\\uFE6F'
	+ '\\uFF01-\\uFF60\\uFFE0-\\uFFE6\\u{20000}-\\u{3FFFD}]', 'u',
);

/** The number of terminal columns that a text fills: a letter with its combining marks takes one or two, whatever its length. */
const widthOf = (text: string): number => narrow.test(text)
	? text.length
	: [...new Intl.Segmenter().segment(text)].reduce((sum, {segment}) => sum + (wide.test(segment) ? 2 : 1), 0);

const gap = '  ';

/** Groups columns so that each group fits the width and starts with the first column, which names the rows. A single one may be wider. */
const groupColumns = (widths: readonly number[], width: number): number[][] => {
	const groups: number[][] = [];
	let used = 0;
	for (let column = 1; column < widths.length; column++) {
		const needed = gap.length + widths[column]!;
		if (groups.length === 0 || used + needed > width) {
			groups.push([0]);
			used = widths[0]!;
		}

		groups.at(-1)!.push(column);
		used += needed;
	}

	return groups.length === 0 ? [[0]] : groups;
};

/**
 * Formats a table. Columns are as wide as their longest cell; numbers are aligned to the right.
 *
 * @param width The terminal's columns (it reports 0 if unknown). A wider table is split into several, one below the other,
 * because lines that the terminal wraps are unreadable.
 */
export const formatTable = (
	columns: readonly string[], rows: readonly (readonly Cell[])[], width = process.stdout.columns || Infinity,
): string => {
	const texts = rows.map(row => row.map(cell => textOf(cell)));
	const lines = [columns, ...texts];
	const toRight = columns.map((_, i) => isNumeric(texts.map(row => row[i]!)));
	const widths = columns.map((_, i) => Math.max(...lines.map(line => widthOf(line[i]!))));
	const pad = (cell: string, i: number) => {
		const space = ' '.repeat(widths[i]! - widthOf(cell));
		return toRight[i] ? space + cell : cell + space;
	};
	return groupColumns(widths, width)
		.map(group => lines.map(line => group.map(i => pad(line[i]!, i)).join(gap).trimEnd()).join('\n'))
		.join('\n\n');
};

/**
 * Describes the error that ended a command. An expected error shows its message. An error of the operating system, such as for a
 * read-only folder, is for the user to repair, and names the call and the file. Any other error is a defect, and shows its stack.
 */
export const describeThrown = (error: unknown): string => {
	if (error instanceof ProcessualError) {
		return error.message;
	}

	const {syscall, code} = error as NodeJS.ErrnoException;
	if (syscall === undefined) {
		return (error as Error).stack ?? String(error);
	}

	return `The operating system refused: ${reasonOf(error)}. ` + (code === 'EMFILE' || code === 'ENFILE'
		? 'Raise the limit of open files (ulimit -n).'
		: 'Check that the path is right, that this process may read and write it, and that there is space.');
};

/** A reader of the output may stop early, as in `processual doctor | head`. The command still runs to its end. */
export const isBrokenPipe = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'EPIPE';

/**
 * Keeps closed standard streams from ending the command. If output cannot be written, as to a full disk, an error is
 * printed.
 */
export const watchStreams = (): void => {
	process.stderr.on('error', () => {});
	let isSaid = false;
	process.stdout.on('error', error => {
		// Reported once, though every further write fails too.
		if (!isBrokenPipe(error) && !isSaid) {
			isSaid = true;
			process.stderr.write(`The output could not be written: ${reasonOf(error)}. It is incomplete.\n`);
			process.exitCode = 1;
		}
	});
};
