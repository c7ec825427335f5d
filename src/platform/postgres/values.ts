/**
 * Values in the form that PostgreSQL takes, and columns of many rows for `unnest`. It cannot store a NUL in a text;
 * any other text is stored as it is.
 */

/** Unused since the days of teleprinters. Before a 0 it stands for NUL; doubled, for itself. */
const substitute = '\u001A';

export const escapeNul = (text: string): string => text.replaceAll(substitute, substitute + substitute).replaceAll('\0', `${substitute}0`);

export const unescapeNul = (text: string): string =>
	text.split(substitute + substitute).map(part => part.replaceAll(`${substitute}0`, '\0')).join(substitute);

/** The client takes only buffers for bytes. */
export const toBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

export type Value = string | number | boolean | null | Uint8Array;

export const toValue = (value: Value): Value =>
	typeof value === 'string' ? escapeNul(value) : value instanceof Uint8Array ? toBuffer(value) : value;

/** The values of each column, from rows in batches of at most `size`. */
export function * columnsOf(rows: ReadonlyArray<readonly Value[]>, size: number): Generator<Value[][]> {
	for (let i = 0; i < rows.length; i += size) {
		const batch = rows.slice(i, i + size);
		yield batch[0]!.map((_, column) => batch.map(row => toValue(row[column]!)));
	}
}
