/**
 * Texts of others, read whole. Node 22 ends a text that it reads at the first null character, and
 * a checksum that covers the rest then differs; so what may hold one is read as JSON, which
 * writes it in other characters.
 */
import {columns, type Row} from './rows.ts';

const open = ['id', 'timestamp', 'content'] as const satisfies Array<keyof Row>;

/** The columns of a row, for a `select` whose rows go through {@link wholeTexts}. */
export const selection = columns.map(column => (open as readonly string[]).includes(column) ? `json_quote(${column}) as ${column}` : column).join(', ');

export const wholeTexts = <Stored extends Row>(row: Stored): Stored => ({
	...row,
	...Object.fromEntries(open.map(column => [column, JSON.parse(row[column]!)])),
});
