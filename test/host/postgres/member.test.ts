/** Members of one real database: which are alive, which are trusted, and what follows a lost session. */
import test, {type ExecutionContext} from 'ava';
import {systemTime, unrefTimers} from '../../../src/platform/clock.ts';
import {ConfigurationError, JournalError, UnavailableError} from '../../../src/platform/errors.ts';
import {Member, type MemberOptions} from '../../../src/host/postgres/member.ts';
import {askNode} from '../../../src/host/postgres/owners.ts';
import {openDatabase} from '../../../src/platform/postgres/database.ts';
import {migrate} from '../../../src/platform/postgres/migrate.ts';
import {migrations, schemaVersion} from '../../../src/platform/postgres/schema.ts';
import {startPostgres} from '../../helpers/postgres.ts';

const server = await startPostgres();
test.after.always(async () => server[Symbol.asyncDispose]());

/** Nodes of one database. They wait in real time, as PostgreSQL does. */
const withDatabase = async (t: ExecutionContext) => {
	const url = await server.createDatabase();
	const database = openDatabase({url});
	t.teardown(async () => database.close());
	await migrate(database);
	const join = async (id: string, options: Partial<MemberOptions> = {}) => {
		const warnings: string[] = [];
		const waits: number[] = [];
		const polls = new EventTarget();
		const member: Member = new Member({
			database,
			node: {id, url: `http://${id}`},
			time: systemTime,
			timers: {
				...unrefTimers,
				setTimeout(callback, milliseconds) {
					waits.push(milliseconds);
					return unrefTimers.setTimeout(() => {
						callback();
						polls.dispatchEvent(new Event('pause'));
					}, milliseconds);
				},
			},
			warn(warning) {
				warnings.push(warning);
			},
			...options,
		});
		await member.join();
		t.teardown(async () => member.leave());
		/** Checks a condition after each pause between two polls. */
		const until = async (isSo: () => boolean): Promise<void> => {
			while (!isSo()) {
				await new Promise(resolve => {
					polls.addEventListener('pause', resolve, {once: true});
				});
			}
		};

		return {member, warnings, waits, until};
	};

	/** Ends the session that holds a node's lock, as a lost connection does. */
	const cut = async ({number}: Member): Promise<void> => {
		await database.query(
			'select pg_terminate_backend(pid) from pg_locks where locktype = \'advisory\' and objid = $1 and database = (select oid '
				+ 'from pg_database where datname = current_database())',
			[number],
		);
	};

	return {database, join, cut};
};

test('members see each other, and no longer see a member that has left', async t => {
	const {database, join} = await withDatabase(t);
	const a = await join('a');
	const b = await join('b');
	t.true(a.member.isTrusted && b.member.isTrusted);
	t.true(b.member.living.has(a.member.number));
	await a.until(() => a.member.living.has(b.member.number));
	t.deepEqual(await database.query('select id, url from processual.node order by no'), [
		{id: 'a', url: 'http://a'},
		{id: 'b', url: 'http://b'},
	]);

	let gone = 0;
	const c = await join('c', {onGone() {
		gone++;
	}});
	const before = gone;
	await b.member.leave();
	t.false(b.member.isTrusted);
	await c.until(() => !c.member.living.has(b.member.number));
	t.is(gone, before + 1);
	t.deepEqual(await database.query('select id from processual.node order by no'), [{id: 'a'}, {id: 'c'}]);
});

test('a member whose session is cut is not trusted until it joins again, with the same number', async t => {
	const {join, cut} = await withDatabase(t);
	let joined: Member | null = null;
	const trustedAtJoin: boolean[] = [];
	const {member, until, warnings} = await join('a', {async onJoin() {
		trustedAtJoin.push(joined?.isTrusted ?? false);
	}});
	joined = member;
	const {number} = member;
	await cut(member);
	await until(() => member.joins === 2);
	await member.trusted();
	t.true(member.isTrusted);
	t.is(member.number, number);
	t.deepEqual(trustedAtJoin, [false, false], 'lost identities are closed before it is trusted');
	t.is(warnings.length, 1);
	t.regex(warnings[0]!, /^This node is not a member at the moment: /);
});

test('a member joins again when a backup replaces its tables', async t => {
	const {database, join} = await withDatabase(t);
	let joins = 0;
	const {member, until, warnings} = await join('a', {async onJoin() {
		joins++;
	}});
	await database.query('create table processual.copy as table processual.version; truncate processual.version; '
		+ 'insert into processual.version table processual.copy');
	await until(() => joins === 2 && member.isTrusted);
	t.deepEqual(warnings, ['This node is not a member at the moment: The tables of the database were replaced: a backup was restored.']);
});

test('a member that gets no answer for 1 s is not trusted until the next answer', async t => {
	const {join} = await withDatabase(t);
	let skipped = 0;
	const {member} = await join('a', {time: {now: () => 0, elapsed: () => performance.now() + skipped}});
	t.true(member.isTrusted);
	skipped = 1100;
	t.false(member.isTrusted);
	await member.trusted();
	t.true(member.isTrusted, 'the next poll is answered');
});

test('a member with the address of another living member is refused', async t => {
	const {join} = await withDatabase(t);
	await join('a', {node: {id: 'a', url: 'http://same'}});
	await t.throwsAsync(join('b', {node: {id: 'b', url: 'http://same'}}), {instanceOf: ConfigurationError, message: /address http:\/\/same/});
});

test('a member is notified of an identity that another asks for, and all members have the same time', async t => {
	const {database, join} = await withDatabase(t);
	const asked: string[] = [];
	const [a, b] = [await join('a', {onAsked: name => asked.push(name)}), await join('b')];
	await askNode(database.query, a.member.number, 'ada');
	await a.until(() => asked.length > 0);
	t.deepEqual(asked, ['ada']);
	t.true(Math.abs(a.member.now - b.member.now) < 1000);
	t.true(Math.abs(a.member.now - Date.now()) < 60_000);
});

test('PostgreSQL releases the lock of a silent member', async t => {
	const {database, join} = await withDatabase(t);
	// Its timers never fire, as those of a frozen program.
	const {member: frozen} = await join('frozen', {timers: {setTimeout: () => 0, clearTimeout() {}}});
	const {member, until} = await join('a');
	t.true(member.living.has(frozen.number));
	const began = performance.now();
	await until(() => !member.living.has(frozen.number));
	t.true(performance.now() - began > 1000, 'never before it stops trusting itself');
	t.deepEqual(await database.query('select id from processual.node order by no'), [{id: 'frozen'}, {id: 'a'}]);
});

test('without the database, a request waits until it is refused, or its client leaves', async t => {
	const {join, cut} = await withDatabase(t);
	let isAway = false;
	const {member, until} = await join('a', {async onJoin() {
		if (isAway) {
			throw new Error('still away');
		}
	}});
	isAway = true;
	await cut(member);
	await until(() => !member.isTrusted);
	await t.throwsAsync(member.trusted(), {instanceOf: UnavailableError, message: /lost its session/});
	const leaving = new AbortController();
	const left = t.throwsAsync(member.trusted(leaving.signal), {message: 'The client left.'});
	leaving.abort(new Error('The client left.'));
	await left;
	isAway = false;
	await member.trusted();
	t.true(member.isTrusted);
});

test('a member leaves when the tables get a newer version, says why, and cannot join again', async t => {
	const {database, join} = await withDatabase(t);
	const {member, until, warnings, waits} = await join('a');
	await migrate(database);
	await member.trusted();
	t.is(member.joins, 1, 'the same version changes nothing');
	await migrate(database, [...migrations, 'alter table processual.record add later text']);
	await until(() => !member.isTrusted);
	const tooNew = new RegExp(String.raw`version ${schemaVersion + 1}, made by a newer version .* knows up to ${schemaVersion}\. Install`);
	t.regex(member.standing, tooNew);
	await t.throwsAsync(member.trusted(), {instanceOf: UnavailableError, message: /made by a newer version/});
	t.true(Math.max(...waits) < 1000, 'no request waits for what only another program can fix');
	t.deepEqual(warnings, [`This node is not a member at the moment: ${member.standing.replace(/^.*?database\. /, '')}`]);
	t.deepEqual(await database.query(
		'select from pg_locks where locktype = \'advisory\' and database = (select oid from pg_database where datname = current_database())',
	), [], 'its identities are free for newer nodes');
	await t.throwsAsync(join('b'), {instanceOf: JournalError, message: /made by a newer version/});
});
