/** Finds many rows with one query: all those that are asked for while an earlier query is under way. */
import type {NumberedRow} from '../record-codec.ts';

type Pending = {id: string; resolve: (row: NumberedRow | null) => void; reject: (reason: unknown) => void};

export const batchFinds = (find: (ids: string[]) => Promise<NumberedRow[]>): (id: string) => Promise<NumberedRow | null> => {
	let pending: Pending[] = [];
	let asking: Promise<void> | null = null;
	const ask = async (): Promise<void> => {
		while (pending.length > 0) {
			const asked = pending;
			pending = [];
			try {
				const rows = new Map((await find([...new Set(asked.map(({id}) => id))])).map(row => [row.id, row]));
				for (const {id, resolve} of asked) {
					resolve(rows.get(id) ?? null);
				}
			} catch (error) {
				for (const {reject} of asked) {
					reject(error);
				}
			}
		}

		asking = null;
	};

	return async id => new Promise((resolve, reject) => {
		pending.push({id, resolve, reject});
		// One microtask later, so that calls of the same moment share the first query.
		asking ??= Promise.resolve().then(ask);
	});
};
