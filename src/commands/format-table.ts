/** A table for a terminal. Cells may be words of strangers, which must not steer it. */
import {plainLine} from '../platform/plain-line.ts';

type Cell = string | number | boolean | null;

const textOf = (cell: Cell): string => {
	if (typeof cell === 'boolean') {
		return cell ? 'yes' : 'no';
	}

	return cell === null ? '–' : plainLine(String(cell));
};

/** A number, as it is or formatted. */
const numeric = /^[-+]?\d[\d.,]*%?$/;

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
