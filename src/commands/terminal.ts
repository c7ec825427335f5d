/** What a terminal gets: tables, whose cells may be words of strangers, which must not steer it; and no error when it is gone. */
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

/** Lines with columns as wide as their longest cell; columns with numbers stand to the right. */
export const formatTable = (columns: readonly string[], rows: readonly (readonly Cell[])[]): string => {
	const texts = rows.map(row => row.map(cell => textOf(cell)));
	const lines = [columns, ...texts];
	const isNumeric = columns.map((_, i) => texts.some(row => numeric.test(row[i]!)));
	const widths = columns.map((_, i) => Math.max(...lines.map(line => line[i]!.length)));
	return lines
		.map(line => line.map((cell, i) => isNumeric[i] ? cell.padStart(widths[i]!) : cell.padEnd(widths[i]!)).join('  ').trimEnd())
		.join('\n');
};

/** A reader of the output may stop early, as in `processual doctor | head`. The command then still runs to its end. */
export const isBrokenPipe = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'EPIPE';

/** Keeps the standard streams from ending the command when their reader has closed them. */
export const ignoreBrokenPipes = (): void => {
	for (const stream of [process.stdout, process.stderr]) {
		stream.on('error', error => {
			if (!isBrokenPipe(error)) {
				throw error;
			}
		});
	}
};
