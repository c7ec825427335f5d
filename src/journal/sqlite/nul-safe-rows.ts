/** Rows with texts of others, read whole: a checksum that covers the rest of a text would differ. */
import {nulSafeColumn, nulSafeText} from '../../sqlite/nul-safe-text.ts';
import {columns, type Row} from './codec.ts';

const open = ['id', 'timestamp', 'content'] as const satisfies Array<keyof Row>;

/** The columns of a row, for a `select` whose rows go through {@link nulSafeRow}. */
export const selection = columns.map(column => (open as readonly string[]).includes(column) ? nulSafeColumn(column) : column).join(', ');

export const nulSafeRow = <Stored extends Row>(row: Stored): Stored => ({
	...row,
	...Object.fromEntries(open.map(column => [column, nulSafeText(row[column])])),
});
