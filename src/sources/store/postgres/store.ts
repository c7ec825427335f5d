/** The store in PostgreSQL, beside the journals, so that all nodes read the same. `processual migrate` creates its tables. */
import {inTransaction, type Database, type Query} from '../../../platform/postgres/database.ts';
import {columnsOf, toValue, unescapeNul} from '../../../platform/postgres/values.ts';
import {writeAgainNow} from '../../../platform/postgres/write-again.ts';
import type {KernelName} from '../../../kernel/kernel.ts';
import {withSignal} from '../../../platform/waiting.ts';
import {
	createRowReader, DamageError, digestOf, directionFields, itemKeys, type ItemKind, type Row, stateFields, thoughtFields,
	toBytes, toFloats, widthsOf,
} from '../row-codec.ts';
import type {StoredItem, StoredItems, WritableStore, Written} from '../store.ts';
import {createThoughtSearch, pageSize} from '../thought-index.ts';
import {JournalError, reasonOf, StoreError, withErrors} from '../../../platform/errors.ts';
import {passportOf, type Encoder} from '../../../embedding/encoder.ts';
import type {Person} from '../../../semiosis/reference.ts';

/** Runs a function, and converts an error of the database to a StoreError. */
export const withStoreErrors = async <Result>(place: string, run: () => Promise<Result>): Promise<Result> => withErrors(run, error => {
	if (error instanceof DamageError) {
		return new StoreError(`${place} is damaged (${reasonOf(error)}). `
			+ 'Restore a backup of the database, or delete these rows and import their data again.', {cause: error});
	}

	return error instanceof JournalError
		? new StoreError(`${place} could not be read or written. ${error.message}`, {cause: error, retryable: error.retryable})
		: error;
});

const place = 'the store in the database';

const toItem = createRowReader(value => typeof value === 'string' ? unescapeNul(value) : value);

const selections = {
	state: 'state_id, timestamp, model, kind, vectors from processual.state',
	thought: 'type, content, model, vector from processual.thought',
	direction: 'category, name, pole_positive, pole_negative, model, vector from processual.direction',
};

/** Thoughts after an id, of the given width, except those known to be of another model. */
const comparableThoughts = 'id, vector from processual.thought '
	+ 'where id > $1 and length(vector) = $2 and (model is null or model = coalesce($3, model)) order by id limit $4';

/** Returns a row if one was added or replaced. An added row has xmax 0, since no transaction has replaced an earlier version. */
const putState = `
	insert into processual.state as kept (state_id, timestamp, model, kind, vectors) values ($1, $2, $3, $4, $5)
	on conflict (state_id) do update
	set timestamp = excluded.timestamp, model = excluded.model, kind = excluded.kind, vectors = excluded.vectors
	where (kept.timestamp, kept.model, kept.kind, kept.vectors)
		is distinct from (excluded.timestamp, excluded.model, excluded.kind, excluded.vectors)
	returning kept.xmax = 0 as added`;

const putDirection = `
	insert into processual.direction as kept (category, name, pole_positive, pole_negative, model, vector) values ($1, $2, $3, $4, $5, $6)
	on conflict (category, name) do update
	set pole_positive = excluded.pole_positive, pole_negative = excluded.pole_negative, model = excluded.model, vector = excluded.vector
	where (kept.pole_positive, kept.pole_negative, kept.model, kept.vector)
		is distinct from (excluded.pole_positive, excluded.pole_negative, excluded.model, excluded.vector)
	returning kept.xmax = 0 as added`;

const addThoughts = `
	insert into processual.thought (digest, type, content, model, vector)
	select digest, type, content, model, vector
	from unnest($1::bytea[], $2::text[], $3::text[], $4::text[], $5::bytea[])
		with ordinality as given (digest, type, content, model, vector, place)
	order by place on conflict do nothing returning true as added`;

/** Must run in a transaction. */
const writeItems = async (query: Query, {states = [], thoughts = [], directions = []}: StoredItems): Promise<Written> => {
	// One import at a time, so that a reader that has seen an id has seen all lower ones.
	await query('lock table processual.state, processual.thought, processual.direction in share row exclusive mode');
	const written: Written = {added: 0, replaced: 0, unchanged: 0};
	const put = async (statement: string, values: ReadonlyArray<Parameters<typeof toValue>[0]>): Promise<void> => {
		const [row] = await query<{added: boolean}>(statement, values.map(toValue));
		written[row ? row.added ? 'added' : 'replaced' : 'unchanged']++;
	};

	for (const state of states) {
		await put(putState, stateFields(state));
	}

	for (const columns of columnsOf(thoughts.map(thoughtFields), pageSize)) {
		const {length} = await query(addThoughts, columns);
		written.added += length;
		written.unchanged += columns[0]!.length - length;
	}

	for (const direction of directions) {
		await put(putDirection, directionFields(direction));
	}

	return written;
};

/** Opens the store of a database. Closing the store leaves the database open. */
export const openPostgresStore = (database: Pick<Database, 'query' | 'session'>, kernel: 'auto' | KernelName = 'auto'): WritableStore => {
	const search = createThoughtSearch(kernel, place);
	let isClosed = false;

	/** Runs a function if the store is open. */
	const run = async <Result>(work: () => Promise<Result>): Promise<Result> => withStoreErrors(place, async () => {
		if (isClosed) {
			throw new StoreError(`${place} is closed.`);
		}

		return work();
	});

	const select = async <Item>(
		what: string, values: ReadonlyArray<string | number | null>, read: (row: Row) => Item, signal?: AbortSignal,
	): Promise<Item[]> => run(async () => {
		signal?.throwIfAborted();
		return (await withSignal(database.query<Row>(`select ${what}`, values), signal)).map(read);
	});

	/** All items of a kind, page by page. */
	const all = async function * (kind: ItemKind, key: string): AsyncGenerator<StoredItem> {
		for (let after: number | null = null; ;) {
			const page: Array<readonly [number, StoredItem]> = await select(
				`${key} as key, ${selections[kind]} where $1::bigint is null or ${key} > $1 order by ${key} limit ${pageSize}`, [after],
				row => [Number(row['key']), {kind, ...toItem[kind](row)} as StoredItem] as const,
			);
			yield * page.map(([, item]) => item);
			if (page.length < pageSize) {
				return;
			}

			after = page.at(-1)![0];
		}
	};

	return {
		place,
		latestState: async signal => (await select(`${selections.state} order by state_id desc limit 1`, [], toItem.state, signal))[0] ?? null,
		thoughts: async (limit, signal) => select(`${selections.thought} order by id desc limit $1`, [limit], toItem.thought, signal),
		directions: async signal => select(`${selections.direction} order by id`, [], toItem.direction, signal),
		nearestThoughts: async (vector, options) => search.nearest(vector, options, async after => select(
			comparableThoughts, [after, vector.byteLength, options.model ?? null, pageSize],
			row => [Number(row['id']), toFloats(row['vector'])] as const, options.signal,
		)),

		async * everything(): AsyncGenerator<StoredItem> {
			for (const [kind, key] of Object.entries(itemKeys) as Array<[ItemKind, string]>) {
				yield * all(kind, key);
			}
		},

		forget: async ({contents, vectors}) => run(async () => {
			search.clear();
			const removed = await database.query(
				'delete from processual.thought where content = any($1) or vector = any($2::bytea[]) returning id',
				[[...contents].map(toValue), vectors.flatMap(widthsOf).map(toValue)],
			);
			return {count: removed.length, left: removed.length === 0 ? null : await writeAgainNow(database, ['processual.thought'])};
		}),

		write: async items => run(async () => inTransaction(database, async query => writeItems(query, items))),

		async close() {
			isClosed = true;
			search.clear();
		},
	};
};

/** If two nodes make a vector at the same time, both get the first one's. */
const keep = 'insert into processual.text_vector as kept (digest, vector) values ($1, $2) '
	+ 'on conflict (digest) do update set vector = kept.vector returning vector';

type TextVector = {vector: Uint8Array};

/**
 * Caches the vectors of the reference's texts, by a hash of model and text. The first node that needs one makes it. All others get
 * the same bits, and take over an identity without embedding up to 8000 characters (320 ms of a core).
 */
export const keepVectors = ({query}: Pick<Database, 'query'>, encoder: Encoder): NonNullable<Person['embed']> =>
	async (text, signal) => withStoreErrors('the vectors in the database', async () => {
		const digest = toValue(digestOf([JSON.stringify(passportOf(encoder)), text]));
		const [known] = await query<TextVector>('select vector from processual.text_vector where digest = $1', [digest]);
		const [row] = known ? [known] : await query<TextVector>(keep, [digest, toValue(toBytes(await encoder.embed(text, signal)))]);
		return toFloats(row!.vector);
	});
