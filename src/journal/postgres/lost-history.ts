/**
 * A database can lose history: it is restored from an older backup, a standby takes over that had not received all, or a
 * crash loses what was acknowledged before it was synced. The records that this program knows to be durable are compared
 * with the database. An identity that lost some is marked, so that no node continues it as if nothing had happened.
 */
import {ConflictError, LostHistoryError, UnknownIdentityError} from '../../platform/errors.ts';
import type {Database, Query} from '../../platform/postgres/database.ts';

/** What is known of a loss, as the identity's row stores it. */
export type Loss = {
	/** The newest record that is known to be lost, and when it was made. */
	readonly seq: number;
	readonly timestamp: string | null;
	/** The newest record that is known to be left. */
	readonly kept: number;
};

/** How many identities one statement compares. */
const pageSize = 1000;

/** What was lost, in words for the end of a sentence. */
const describe = ({seq, timestamp, kept}: Loss): string => `${seq === kept + 1 ? `record ${seq}` : `records ${kept + 1} to ${seq}`}`
	+ `${timestamp === null ? '' : `, the last of ${timestamp}`}`;

export const lostHistoryOf = (name: string, loss: Loss): LostHistoryError => new LostHistoryError(
	`The database has lost acknowledged records of “${name}”: ${describe(loss)}. It was restored from an older backup, a standby that `
	+ 'had not received them took over, or it crashed before it had synced them. Nothing more is written to this identity until you '
	+ `decide: bring back the newer database, or continue without them with “processual accept-loss ${name}”.`,
);

const goneError = (name: string): LostHistoryError => new LostHistoryError(`The database no longer has the identity “${name}”, which `
	+ 'has acknowledged records: it was restored from a backup that is older than the identity. Bring back the newer database.');

/**
 * Compares the records known here with the database, and marks the identities that lost some.
 *
 * @param owned One identity, with its owner's fence if an append of the owner found another head; by default all known ones are
 * compared.
 * @returns an error for each identity that lost some, once
 */
export const findLosses = async (
	{query, acknowledged}: Pick<Database, 'query' | 'acknowledged'>, owned?: {readonly life: string; readonly fence: string | null},
): Promise<LostHistoryError[]> => {
	const known = acknowledged.known(owned?.life);
	const errors: LostHistoryError[] = [];
	for (let i = 0; i < known.length; i += pageSize) {
		const page = known.slice(i, i + pageSize);
		const marked = await mark(query, page, owned?.fence ?? null);
		const gone = await query<{life: string; name: string; isReplaced: boolean}>(`
			select life, name, exists (select from processual.identity where id = name and not aside) as "isReplaced"
			from unnest($1::uuid[], $2::text[]) as known(life, name)
			where not exists (select from processual.identity where identity.life = known.life)`,
		[page.map(([life]) => life), page.map(([, {name}]) => name)]);
		for (const {life} of gone) {
			acknowledged.forget(life);
		}

		errors.push(
			...marked.map(({name, lost}) => lostHistoryOf(name, lost)),
			...gone.filter(({isReplaced}) => !isReplaced).map(({name}) => goneError(name)),
		);
	}

	acknowledged.losses += errors.length;
	return errors;
};

/**
 * The remaining records of an owner show where the loss begins. A record in a compacted block may be missing without a
 * loss. If the fence is still the owner's and yet its append did not match, the head is not the one that it wrote.
 */
const mark = async (
	query: Query, known: ReturnType<Database['acknowledged']['known']>, fence: string | null,
): Promise<Array<{name: string; lost: Loss}>> => query(`
	update processual.identity set fence = gen_random_uuid(), node = null, lost = jsonb_build_object(
		'seq', k.seq, 'timestamp', k.timestamp, 'kept',
		coalesce((select max(seq) from processual.record where identity = no and record.seq < k.seq and record.fence = k.fence),
			least(identity.seq, k.seq - 1)))
	from unnest($1::uuid[], $2::bigint[], $3::uuid[], $4::text[]) as k(life, seq, fence, timestamp)
	where identity.life = k.life and (lost is null or (lost->>'seq')::bigint < k.seq) and (
		identity.seq < k.seq or identity.fence = $5 or (k.seq > compacted and not exists (
			select from processual.record where identity = no and record.seq = k.seq and record.fence is not distinct from k.fence)))
	returning id as name, lost`, [
	known.map(([life]) => life), known.map(([, {seq}]) => seq), known.map(([, record]) => record.fence),
	known.map(([, {timestamp}]) => timestamp), fence,
]);

/**
 * Accepts a loss by an operator's decision: the identity continues without the lost records.
 *
 * @returns what was lost, in words
 * @throws {UnknownIdentityError} if there is no identity of that name
 * @throws {ConflictError} if it has lost nothing
 */
export const acceptLoss = async ({query}: Pick<Database, 'query'>, name: string): Promise<string> => {
	// With a new token, what nodes remember of the lost history no longer concerns it.
	const [accepted] = await query<{lost: Loss; seq: number}>(`
		with before as (select no, lost from processual.identity where id = $1 and not aside and lost is not null for update)
		update processual.identity set lost = null, life = gen_random_uuid(), fence = gen_random_uuid()
		from before where identity.no = before.no
		returning before.lost, seq`, [name]);
	if (accepted) {
		return `“${name}” continues after record ${accepted.seq}. Lost: ${describe(accepted.lost)}.`;
	}

	const [found] = await query('select from processual.identity where id = $1 and not aside', [name]);
	throw found
		? new ConflictError(`“${name}” has lost nothing that its nodes remember: there is nothing to accept.`)
		: new UnknownIdentityError(`There is no identity “${name}” in the database.`);
};
