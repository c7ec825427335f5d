/** What nodes do about a database that lost records, and about an owner that they cannot reach. */
import test from 'ava';
import {createPostgresJournal} from '../../../src/journal/postgres/postgres-journal.ts';
import {acceptLoss} from '../../../src/journal/postgres/lost-history.ts';
import {systemTime} from '../../../src/platform/clock.ts';
import {JournalError, LostHistoryError} from '../../../src/platform/errors.ts';
import type {Database} from '../../../src/platform/postgres/database.ts';
import type {PostgresHostOptions} from '../../../src/host/postgres/open-postgres-host.ts';
import {dump} from '../../helpers/dump.ts';
import {startPostgres} from '../../helpers/postgres.ts';
import {here, nodesOf} from './nodes.ts';

const server = await startPostgres();
test.after.always(async () => server[Symbol.asyncDispose]());

const withNodes = nodesOf(server);

test.serial('nodes notice a restored older dump, refuse the identity that lost records, and continue once that is accepted', async t => {
	const {database, join, warnings} = await withNodes(t);
	const [a, b] = [await join('a'), await join('b')];
	await (await here(a)).cycle('kept');
	const restore = await dump(database.query);
	await (await here(a)).cycle('lost');
	await restore();
	while (a.counts.lost === 0) {
		await new Promise(setImmediate);
	}

	t.true(warnings.some(warning => /lost acknowledged records of “default”: record 2,/.test(warning)));
	for (const node of [a, b]) {
		await t.throwsAsync(async () => here(node), {instanceOf: LostHistoryError, message: /accept-loss default/});
	}

	await acceptLoss(database, 'default');
	t.is((await (await here(b)).cycle('after it')).stateId, 2);
});

test.serial('an identity whose owner cannot be reached at its address is handed over through the database', async t => {
	const {database, join, warnings} = await withNodes(t);
	const [a, b] = [await join('a'), await join('b')];
	await (await here(a)).cycle('first');
	await (await here(a)).daemon.start();
	t.deepEqual(await b.place('default'), {elsewhere: 'http://a'});
	await b.askHandOver('default', 'http://another');
	await b.askHandOver('default', 'http://a');
	while (!('here' in await b.place('default'))) {
		// The owner's clients still reach it, and do not take the identity back.
		Promise.resolve(a.place('default')).catch(() => {});
		b.findOwner('default', 'http://a').catch(() => {});
		await new Promise(setImmediate);
	}

	t.is((await (await here(b)).cycle('second')).stateId, 2);
	t.deepEqual(await database.query('select loop_on from processual.identity'), [{loop_on: true}], 'its loop stays on');
	t.true(warnings.some(warning => /cannot reach this one at http:\/\/a, and asked for “default”/.test(warning)));
	t.true(warnings.some(warning => /fsync = off/.test(warning)), 'also of settings that may lose records');
});

/** A way to the database that can be cut while the node keeps its session. */
const linkTo = (database: Database) => {
	const ask = <Asked extends unknown[], Answer>(perform: (...given: Asked) => Promise<Answer>) => async (...given: Asked) => {
		if (link.isCut) {
			throw new JournalError('The pooler cannot be reached.', {retryable: true});
		}

		return perform(...given);
	};

	const cut = {...database, query: ask(database.query) as typeof database.query, queryPlanned: ask(database.queryPlanned) as never};
	const journalOf: PostgresHostOptions['journalOf'] = (name, taker) => createPostgresJournal({database: cut, name, taker});
	const link = {isCut: false, options: {database: cut, journalOf}};
	return link;
};

test.serial('while the database is unreachable, a node without identities is not ready, and the owner can still be read', async t => {
	const {database, join} = await withNodes(t);
	const link = linkTo(database);
	const [a, b] = [await join('a', link.options), await join('b', link.options)];
	await (await here(a)).cycle('first');
	link.isCut = true;
	while (b.readiness!().ready) {
		await new Promise(setImmediate);
	}

	t.is(b.readiness!().parts.journal, 'The pooler cannot be reached.');
	t.true(a.readiness!().ready);
	while (b.isMember) {
		await new Promise(setImmediate);
	}

	(await here(a)).cycle('lost').catch(() => {});
	while (a.readiness!().ready) {
		await new Promise(setImmediate);
	}

	t.is((await here(a)).state().stateId, 1);
	link.isCut = false;
	while (!b.readiness!().ready) {
		await new Promise(setImmediate);
	}

	t.deepEqual(await b.place('default'), {elsewhere: 'http://a'});
});

test.serial('a node that reaches the database only by its session leaves its identities to others, and later rejoins', async t => {
	const {database, join, warnings} = await withNodes(t);
	let passedMs = 0;
	const link = linkTo(database);
	const a = await join('a', {...link.options, time: {...systemTime, elapsed: () => systemTime.elapsed() + passedMs}});
	const identity = await here(a);
	await identity.cycle('first');
	link.isCut = true;
	const unknown = t.throwsAsync(identity.cycle('lost'), {instanceOf: JournalError});
	while (a.readiness!().parts.journal === 'ok') {
		await new Promise(setImmediate);
	}

	for (let poll = 0; poll < 3; poll++) {
		passedMs += 3000;
		while (!a.isMember) {
			await new Promise(setImmediate);
		}
	}

	t.is((await here(a)).state().stateId, 1, 'a node without others stays a member, and can be read');
	const b = await join('b');
	while (!('here' in await b.place('default'))) {
		await new Promise(setImmediate);
	}

	t.is((await (await here(b)).cycle('second')).stateId, 2);
	t.regex(String(a.readiness!().parts.node), /The pooler cannot be reached\.$/);
	t.true(warnings.includes('This node is not a member at the moment: The pooler cannot be reached.'));
	link.isCut = false;
	while (!a.isMember) {
		await new Promise(setImmediate);
	}

	t.deepEqual(await a.place('default'), {elsewhere: 'http://b'});
	await unknown;
});
