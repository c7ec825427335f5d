/** Values as PostgreSQL takes them, and columns of many rows for `unnest`. */
import {escapeNul, toBuffer} from '../../postgres/values.ts';

export type Value = string | number | boolean | null | Uint8Array;

export const toValue = (value: Value): Value => typeof value === 'string' ? escapeNul(value) : value instanceof Uint8Array ? toBuffer(value) : value;

/** The values of each column, from rows in batches of at most `size`. */
export function * columnsOf(rows: ReadonlyArray<readonly Value[]>, size: number): Generator<Value[][]> {
	for (let i = 0; i < rows.length; i += size) {
		const batch = rows.slice(i, i + size);
		yield batch[0]!.map((_, column) => batch.map(row => toValue(row[column]!)));
	}
}
