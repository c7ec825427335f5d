/** Digests in PostgreSQL. Only the owner of the identity writes them; an earlier owner's statements write nothing. */
import v8 from 'node:v8';
import type {Query} from '../../platform/postgres/database.ts';
import {toBuffer} from '../../platform/postgres/values.ts';
import {decodeHead, emptyBody, encodeHead, withBody, type DigestStore, type ReadHead, type StoredDigest} from '../digest-store.ts';
import {decodeVectors} from '../float-codec.ts';
import {checksumOf} from '../rows.ts';
import type {OwnedHead} from './append.ts';

/** @property checksum Covers the head, which has the checksum of the body. */
type HeadRow = {no: number; head: string; checksum: number};

/** How many bodies one statement reads: about 3 MB. */
const pageSize = 32;

/** The digests of an identity. */
const stored = 'from processual.digest where identity = $1';

/** The identity's row, as long as it belongs to this owner. */
const owned = 'from processual.identity where no = $1 and fence = $2';

/** Removes an identity's digests, as its owner. */
export const deleteDigests = async (query: Query, {no, fence}: Pick<OwnedHead, 'no' | 'fence'>): Promise<void> => {
	for (const table of ['digest', 'kept']) {
		await query(`delete from processual.${table} where identity = (select no ${owned})`, [no, fence]);
	}
};

const readBodies = async (query: Query, no: number, which: readonly number[]): Promise<Map<number, Uint8Array>> => {
	const rows = which.length === 0
		? []
		: await query<{no: number; body: Buffer}>(`select no, body ${stored} and no = any($2)`, [no, which]);
	return new Map(rows.map(row => [row.no, new Uint8Array(row.body)]));
};

/** @param getHead The head of the identity; null while it is not open: then there are no digests. */
export const digestsOf = (query: Query, getHead: () => Pick<OwnedHead, 'no' | 'fence'> | null): DigestStore => {
	/** Queries rows of the identity, which is `$1`. */
	const ask = async <Row extends object>(text: string, ...values: unknown[]): Promise<Row[]> => {
		const head = getHead();
		return head ? query<Row>(text, [head.no, ...values]) : [];
	};

	/** Writes as the owner: `$1` is the identity, and `$2` the fence. */
	const write = async (text: string, ...values: unknown[]): Promise<void> => {
		const head = getHead();
		await (head && query(text, [head.no, head.fence, ...values]));
	};

	const read = async (wants: (head: unknown) => boolean = () => true): Promise<StoredDigest[]> => {
		const owner = getHead();
		const rows = owner ? await query<HeadRow>(`select no, head, checksum ${stored} order by no`, [owner.no]) : [];
		const digests: StoredDigest[] = [];
		while (rows.length > 0) {
			const page = rows.splice(0, pageSize).map(row => ({no: row.no, found: decodeRow(row)}));
			const wanted = page.filter(({found}) => found && wants(found.head)).map(({no}) => no);
			const bodies = await readBodies(query, owner!.no, wanted);
			for (const {no, found} of page) {
				const digest = found && (wanted.includes(no) ? withBody(found, bodies.get(no) ?? emptyBody) : {head: found.head, body: emptyBody});
				if (!digest) {
					await query(
						`delete from processual.digest where identity = (select no ${owned}) and no >= $3`, [owner!.no, owner!.fence, no],
					);
					return digests;
				}

				digests.push(digest);
			}
		}

		return digests;
	};

	return {
		read,
		async newest() {
			const [row] = await ask<HeadRow & {body: Buffer}>(`select no, head, checksum, body ${stored} order by no desc limit 1`);
			const found = row && decodeRow(row);
			return row ? (found && withBody(found, new Uint8Array(row.body))) ?? (await read()).at(-1) ?? null : null;
		},
		async add(digest) {
			const json = encodeHead(digest);
			await write(
				`insert into processual.digest (identity, no, head, body, checksum)
				select no, 1 + coalesce((select max(d.no) from processual.digest d where d.identity = $1), 0), $3, $4, $5 ${owned}`,
				json, toBuffer(digest.body), checksumOf([json]),
			);
		},
		async keep(value) {
			const bytes = v8.serialize(value);
			await write(
				`insert into processual.kept (identity, value, checksum) select no, $3, $4 ${owned}
				on conflict (identity) do update set value = excluded.value, checksum = excluded.checksum`, bytes, checksumOf([bytes]),
			);
		},
		async kept() {
			const [row] = await ask<{value: Buffer; checksum: number}>('select value, checksum from processual.kept where identity = $1');
			return row && checksumOf([row.value]) === row.checksum ? v8.deserialize(row.value) as unknown : null;
		},
		async vectors(first, last, used) {
			const rows = await ask<{vector: Buffer}>(
				'select vector from processual.record where identity = $1 and seq between $2 and $3 and kind = \'cycle\' order by seq', first, last,
			);
			return decodeVectors(rows.map(({vector}) => vector), used);
		},
		async clear() {
			const head = getHead();
			await (head && deleteDigests(query, head));
		},
	};
};

/** @returns null for a head that is damaged */
const decodeRow = ({head, checksum}: HeadRow): ReadHead | null =>
	checksumOf([head]) === checksum ? decodeHead(head) : null;
