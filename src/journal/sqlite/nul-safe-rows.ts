/** Reads rows of records whole: see `nul-safe-text.ts`. */
import {nulSafeColumn, nulSafeText} from '../../platform/sqlite/nul-safe-text.ts';
import {recordColumns, type RecordRow} from '../record-codec.ts';

/** Columns whose texts callers give: NUL characters are possible in these. */
const callerColumns = ['id', 'timestamp', 'content'] as const satisfies Array<keyof RecordRow>;

/** The columns of a `select` whose rows go through {@link readNulSafe}. */
export const recordSelection = recordColumns.map(column => (callerColumns as readonly string[]).includes(column) ? nulSafeColumn(column) : column).join(', ');

export const readNulSafe = <Row extends RecordRow>(row: Row): Row => ({
	...row,
	...Object.fromEntries(callerColumns.map(column => [column, nulSafeText(row[column])])),
});
