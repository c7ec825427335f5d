/** Digests in PostgreSQL, which the owner of the identity alone writes. What fails to be its own any more writes nothing. */
import v8 from 'node:v8';
import type {Query} from '../../platform/postgres/database.ts';
import {toBuffer} from '../../platform/postgres/values.ts';
import type {DigestStore, StoredDigest} from '../digest-store.ts';
import {decodeVectors} from '../float-codec.ts';
import {checksumOf} from '../verified-rows.ts';
import type {OwnedHead} from './append.ts';

type DigestRow = {no: number; head: string; body: Buffer; checksum: number};

/** How many digests one statement reads: about 3 MB. */
const pageSize = 32;

const select = 'select no, head, body, checksum from processual.digest where identity = $1';

/** The row of the identity, as long as it is the owner's. */
const owned = 'from processual.identity where no = $1 and fence = $2';

/** Removes them, as the owner. */
export const deleteDigests = async (query: Query, {no, fence}: Pick<OwnedHead, 'no' | 'fence'>): Promise<void> => {
	for (const table of ['digest', 'kept']) {
		await query(`delete from processual.${table} where identity = (select no ${owned})`, [no, fence]);
	}
};

/** @param getHead The head of the identity; null while it is not open: then there are none. */
export const digestsOf = (query: Query, getHead: () => Pick<OwnedHead, 'no' | 'fence'> | null): DigestStore => {
	const readBehind = async ({no, fence}: Pick<OwnedHead, 'no' | 'fence'>, after: number): Promise<StoredDigest[]> => {
		const rows = await query<DigestRow>(`${select} and no > $2 order by no limit ${pageSize}`, [no, after]);
		const decoded = rows.map(row => decode(row));
		const damaged = rows[decoded.indexOf(null)];
		if (damaged) {
			await query(`delete from processual.digest where identity = (select no ${owned}) and no >= $3`, [no, fence, damaged.no]);
		}

		const others = !damaged && rows.length === pageSize ? await readBehind({no, fence}, rows.at(-1)!.no) : [];
		return [...decoded.slice(0, damaged && rows.indexOf(damaged)).filter(digest => digest !== null), ...others];
	};

	const read = async (): Promise<StoredDigest[]> => {
		const head = getHead();
		return head ? readBehind(head, 0) : [];
	};

	return {
		read,
		async newest() {
			const head = getHead();
			const [row] = head ? await query<DigestRow>(`${select} order by no desc limit 1`, [head.no]) : [];
			return row ? decode(row) ?? (await read()).at(-1) ?? null : null;
		},
		async add({head: what, body}) {
			const head = getHead();
			const json = JSON.stringify(what);
			await (head && query(
				`insert into processual.digest (identity, no, head, body, checksum)
				select no, 1 + coalesce((select max(d.no) from processual.digest d where d.identity = $1), 0), $3, $4, $5 ${owned}`,
				[head.no, head.fence, json, toBuffer(body), checksumOf([json, body])],
			));
		},
		async keep(value) {
			const head = getHead();
			const bytes = v8.serialize(value);
			await (head && query(
				`insert into processual.kept (identity, value, checksum) select no, $3, $4 ${owned}
				on conflict (identity) do update set value = excluded.value, checksum = excluded.checksum`,
				[head.no, head.fence, bytes, checksumOf([bytes])],
			));
		},
		async kept() {
			const head = getHead();
			const [row] = head
				? await query<{value: Buffer; checksum: number}>('select value, checksum from processual.kept where identity = $1', [head.no])
				: [];
			return row && checksumOf([row.value]) === row.checksum ? v8.deserialize(row.value) as unknown : null;
		},
		async vectors(first, last, used) {
			const head = getHead();
			const rows = head ? await query<{vector: Buffer}>(
				'select vector from processual.record where identity = $1 and seq between $2 and $3 and kind = \'cycle\' order by seq',
				[head.no, first, last],
			) : [];
			return decodeVectors(rows.map(({vector}) => vector), used);
		},
		async clear() {
			const head = getHead();
			await (head && deleteDigests(query, head));
		},
	};
};

/** @returns null for one that is damaged; the floats of its body begin at a multiple of their length */
const decode = ({head, body, checksum}: DigestRow): StoredDigest | null =>
	checksumOf([head, body]) === checksum ? {head: JSON.parse(head) as unknown, body: new Uint8Array(body)} : null;
