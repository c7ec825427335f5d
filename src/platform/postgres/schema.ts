/**
 * The tables of identities in PostgreSQL, by version. They are in a separate schema, which every
 * statement names: a schema that is named like a role would shadow them.
 *
 * A version is never changed once it is published; the next one is appended.
 */

/** The class of all advisory locks; the second number is that of a node, or 0 for a migration. */
export const lockClass = 0x50_53;

/**
 * The locks of living nodes, in SQL: a node holds the lock of its number, `objid`, as long as it lives. A lock with
 * two keys of 4 bytes has `objsubid` 2. Other databases of the server have other nodes.
 */
export const nodeLocks = `pg_locks
	where locktype = 'advisory' and granted and classid = ${lockClass} and objid <> 0 and objsubid = 2
		and database = (select oid from pg_database where datname = current_database())`;

/** All records of an identity are in one partition, so that indexes and their maintenance stay small. */
const partitions = 16;

const partitionsOf = (table: string): string[] => Array.from({length: partitions}, (_, i) =>
	`create table processual.${table}_${i} partition of processual.${table} for values with (modulus ${partitions}, remainder ${i});`);

const first = `
	create table processual.node (
		no integer generated always as identity primary key,
		id text not null unique,
		url text not null,
		since timestamptz not null default now()
	);

	-- Each append updates its row here: half of a page is free for the next version of a row.
	create table processual.identity (
		no integer generated always as identity primary key,
		id text not null,
		seq bigint not null default 0,
		compacted bigint not null default 0,
		validation bigint not null default 0,
		epoch bigint not null default 0,
		node integer,
		loop_on boolean not null default false,
		loop_at timestamptz,
		aside boolean not null default false,
		created timestamptz not null default now()
	) with (fillfactor = 50);
	create unique index identity_id on processual.identity (id) where not aside;
	create index identity_loop on processual.identity (no) where loop_on and not aside;

	create table processual.genesis (
		identity integer primary key,
		initial bytea not null,
		initial_state bigint not null,
		initial_timestamp text not null,
		reference bytea not null,
		reference_state bigint not null,
		reference_timestamp text not null,
		passport text not null,
		random integer not null,
		checksum bigint not null
	);

	create table processual.validation (
		identity integer primary key,
		seq bigint not null,
		facts text not null,
		details text not null,
		thirdness bytea not null,
		vectors bytea not null,
		checksum bigint not null
	);

	create table processual.record (
		identity integer not null,
		seq bigint not null,
		epoch bigint not null,
		kind text not null,
		id text not null,
		timestamp text not null,
		state bigint,
		facts text,
		kept text,
		content text,
		metadata text,
		standing text,
		vector bytea,
		thirdness bytea,
		checksum bigint not null,
		primary key (identity, seq)
	) partition by hash (identity);
	create unique index record_cycle on processual.record (identity, id) where kind = 'cycle';
	-- Floats do not become smaller.
	alter table processual.record alter vector set storage external, alter thirdness set storage external;
	${partitionsOf('record').join('\n\t')}

	-- What identities begin with: one store for all of them.
	create table processual.state (
		state_id bigint primary key,
		timestamp text not null,
		model text,
		kind text not null,
		vectors bytea not null
	);

	create table processual.thought (
		id bigint generated always as identity primary key,
		digest bytea not null unique,
		type text,
		content text,
		model text,
		vector bytea not null
	);

	create table processual.direction (
		id bigint generated always as identity primary key,
		category text not null,
		name text not null,
		pole_positive text not null,
		pole_negative text not null,
		model text,
		vector bytea not null,
		unique (category, name)
	);
	alter table processual.state alter vectors set storage external;
	alter table processual.thought alter vector set storage external;
	alter table processual.direction alter vector set storage external;

	create table processual.conversation (
		id text primary key,
		title text,
		deleted boolean not null
	);

	-- Two messages of the same time are ordered by their content, bytewise.
	create table processual.message (
		no bigint generated always as identity primary key,
		digest bytea not null unique,
		conversation text not null references processual.conversation (id),
		role text not null,
		content text collate "C" not null,
		created text not null,
		age double precision not null
	);
	create index message_age on processual.message (age);

	-- What texts of the reference are under a model.
	create table processual.text_vector (
		digest bytea primary key,
		vector bytea not null
	);
	alter table processual.text_vector alter vector set storage external;
`;

/** The facts of revisions. Each also has a record among the others. */
const revisions = `
	create table processual.revision (
		identity integer not null,
		seq bigint not null,
		facts text not null,
		checksum bigint not null,
		primary key (identity, seq)
	);
`;

/**
 * A counter as fence would match again after the database lost history, so each take-over draws a token. With the
 * checksum of its newest record, `tip`, a head belongs to one history only. `life` is the identity's token since its
 * creation or the last accepted loss, and `lost` describes a loss that is not accepted.
 */
const fences = `
	alter table processual.identity
		drop column epoch,
		add column fence uuid,
		add column tip bigint not null default 0,
		add column life uuid not null default gen_random_uuid(),
		add column lost jsonb;
	create unique index identity_life on processual.identity (life);
	alter table processual.record drop column epoch, add column fence uuid;
	update processual.identity set tip = record.checksum from processual.record
	where record.identity = identity.no and record.seq = identity.seq;
`;

/** A second copy of each held text's record: compaction removes the one among the others. */
const held = `
	create table processual.held (
		identity integer not null,
		seq bigint not null,
		kind text not null,
		id text not null,
		timestamp text not null,
		state bigint,
		facts text,
		kept text,
		content text,
		metadata text,
		standing text,
		checksum bigint not null,
		vector bytea,
		thirdness bytea,
		primary key (identity, seq)
	);
	create index held_text on processual.held (identity, id);
	create unique index record_held on processual.record (identity, id) where kind = 'held';
	alter table processual.held alter vector set storage external, alter thirdness set storage external;
`;

/** Loops by their last cycle: those that are due next come first. */
const loopsByTime = `
	drop index processual.identity_loop;
	create index identity_loop on processual.identity (loop_at) where loop_on and not aside;
`;

/**
 * Dead rows of forgotten texts may be left until the tables are written again. The planner's statistics would keep
 * some texts as examples, and no statement looks up a text by its content.
 */
const forgetting = `
	alter table processual.identity add column unswept boolean not null default false;
	alter table processual.record alter content set statistics 0, alter metadata set statistics 0, alter vector set statistics 0,
		alter facts set statistics 0;
	alter table processual.held alter content set statistics 0, alter metadata set statistics 0, alter vector set statistics 0,
		alter facts set statistics 0;
	alter table processual.revision alter facts set statistics 0;
	alter table processual.validation alter details set statistics 0, alter vectors set statistics 0;
`;

/**
 * Data derived from an identity's records, and the newest value that is kept of its history. They have as many partitions as
 * records, so that a forgetting writes the one of the same number again.
 */
const digests = `
	create table processual.digest (
		identity integer not null,
		no bigint not null,
		head text not null,
		body bytea not null,
		checksum bigint not null,
		primary key (identity, no)
	) partition by hash (identity);
	create table processual.kept (
		identity integer primary key,
		value bytea not null,
		checksum bigint not null
	) partition by hash (identity);
	alter table processual.digest alter body set storage external, alter head set statistics 0, alter body set statistics 0;
	alter table processual.kept alter value set storage external, alter value set statistics 0;
	${['digest', 'kept'].flatMap(name => partitionsOf(name)).join('\n\t')}
`;

/** The keys of identities, in their order. A name keeps its keys, whichever row its identity has. */
const keys = `
	create table processual.key (
		no bigint generated always as identity primary key,
		name text not null,
		entry text not null
	);
	create index key_name on processual.key (name);
	alter table processual.key alter entry set statistics 0;
`;

/** A row of each identity for the fleet, derived up to its record `seq`. `changed` is also when the identity was put aside. */
const fleet = `
	create table processual.fleet (
		identity integer primary key,
		seq bigint not null,
		ends_at timestamptz,
		changed timestamptz not null default clock_timestamp(),
		row text not null
	);
	create index fleet_changed on processual.fleet (changed);
	create index fleet_ends on processual.fleet (ends_at) where ends_at is not null;
	alter table processual.fleet alter row set statistics 0;
`;

/** The migrations, each from the version before. */
export const migrations: readonly string[] = [first, revisions, fences, held, loopsByTime, forgetting + digests + keys, fleet];

export const schemaVersion = migrations.length;
