/** Digests in PostgreSQL, which the owner of the identity alone writes. What fails to be its own any more writes nothing. */
import v8 from 'node:v8';
import type {Query} from '../../platform/postgres/database.ts';
import {toBuffer} from '../../platform/postgres/values.ts';
import {decodeHead, encodeHead, noBody, withBody, type DigestStore, type StoredDigest} from '../digest-store.ts';
import {decodeVectors} from '../float-codec.ts';
import {checksumOf} from '../verified-rows.ts';
import type {OwnedHead} from './append.ts';

/** @property checksum of the head, which has that of the body */
type HeadRow = {no: number; head: string; checksum: number};

/** How many digests one statement reads: about 3 MB with their bodies. */
const pageSize = 32;

const table = 'processual.digest where identity = $1';

/** The row of the identity, as long as it is the owner's. */
const owned = 'from processual.identity where no = $1 and fence = $2';

/** Removes them, as the owner. */
export const deleteDigests = async (query: Query, {no, fence}: Pick<OwnedHead, 'no' | 'fence'>): Promise<void> => {
	for (const one of ['digest', 'kept']) {
		await query(`delete from processual.${one} where identity = (select no ${owned})`, [no, fence]);
	}
};

/** @param getHead The head of the identity; null while it is not open: then there are none. */
export const digestsOf = (query: Query, getHead: () => Pick<OwnedHead, 'no' | 'fence'> | null): DigestStore => {
	/** Behind the digest with a number, those that are wanted with their bodies. */
	const readBehind = async (
		owner: Pick<OwnedHead, 'no' | 'fence'>, after: number, wants: (head: unknown) => boolean,
	): Promise<StoredDigest[]> => {
		const {no, fence} = owner;
		const rows = await query<HeadRow>(`select no, head, checksum from ${table} and no > $2 order by no limit ${pageSize}`, [no, after]);
		const heads = rows.map(row => decodeRow(row));
		const wanted = rows.filter((_, i) => heads[i] && wants(heads[i].head)).map(row => row.no);
		const bodies = wanted.length === 0
			? []
			: await query<{no: number; body: Buffer}>(`select no, body from ${table} and no = any($2)`, [no, wanted]);
		const bodyOf = new Map(bodies.map(({no: of, body}) => [of, new Uint8Array(body)]));
		const digests = rows.map(({no: of}, i) => {
			const [head, body] = [heads[i], bodyOf.get(of)];
			return head && (wanted.includes(of) ? body && withBody(head, body) : {head: head.head, body: noBody});
		});
		const damaged = digests.findIndex(digest => !digest);
		if (damaged !== -1) {
			await query(`delete from processual.digest where identity = (select no ${owned}) and no >= $3`, [no, fence, rows[damaged]!.no]);
		}

		const others = damaged === -1 && rows.length === pageSize ? await readBehind(owner, rows.at(-1)!.no, wants) : [];
		return [...digests.slice(0, damaged === -1 ? rows.length : damaged).filter(digest => !!digest), ...others];
	};

	const read = async (wants: (head: unknown) => boolean = () => true): Promise<StoredDigest[]> => {
		const head = getHead();
		return head ? readBehind(head, 0, wants) : [];
	};

	return {
		read,
		async newest() {
			const head = getHead();
			const [row] = head
				? await query<HeadRow & {body: Buffer}>(`select no, head, checksum, body from ${table} order by no desc limit 1`, [head.no])
				: [];
			const found = row && decodeRow(row);
			return row ? (found && withBody(found, new Uint8Array(row.body))) ?? (await read()).at(-1) ?? null : null;
		},
		async add(digest) {
			const head = getHead();
			const json = encodeHead(digest);
			await (head && query(
				`insert into processual.digest (identity, no, head, body, checksum)
				select no, 1 + coalesce((select max(d.no) from processual.digest d where d.identity = $1), 0), $3, $4, $5 ${owned}`,
				[head.no, head.fence, json, toBuffer(digest.body), checksumOf([json])],
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

/** @returns null for a head that is damaged */
const decodeRow = ({head, checksum}: HeadRow): ReturnType<typeof decodeHead> | null =>
	checksumOf([head]) === checksum ? decodeHead(head) : null;
