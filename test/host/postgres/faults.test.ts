/** What nodes do together about a database that went back, and about an owner that they cannot reach. */
import test from 'ava';
import {acceptLoss} from '../../../src/journal/postgres/lost-history.ts';
import {LostHistoryError} from '../../../src/platform/errors.ts';
import {dump} from '../../helpers/dump.ts';
import {startPostgres} from '../../helpers/postgres.ts';
import {here, nodesOf} from './nodes.ts';

const server = await startPostgres();
test.after.always(async () => server[Symbol.asyncDispose]());

const withNodes = nodesOf(server);

test.serial('nodes find together that an older dump was restored, refuse what lost records, and go on once that is accepted', async t => {
	const {database, join, warnings} = await withNodes(t);
	const [a, b] = [await join('a'), await join('b')];
	await (await here(a)).cycle('kept');
	const restore = await dump(database.query);
	await (await here(a)).cycle('lost');
	await restore();
	while (a.counts.lost === 0) {
		await new Promise(setImmediate);
	}

	t.true(warnings.some(warning => /lost what was acknowledged of “default”: record 2,/.test(warning)));
	for (const node of [a, b]) {
		await t.throwsAsync(async () => here(node), {instanceOf: LostHistoryError, message: /accept-loss default/});
	}

	await acceptLoss(database, 'default');
	t.is((await (await here(b)).cycle('after it')).stateId, 2);
});

test.serial('an identity whose owner cannot be reached at its address is handed over by the database', async t => {
	const {database, join, warnings} = await withNodes(t);
	const [a, b] = [await join('a'), await join('b')];
	await (await here(a)).cycle('first');
	await (await here(a)).daemon.start();
	t.deepEqual(await b.place('default'), {elsewhere: 'http://a'});
	await b.askHandOver('default', 'http://another');
	await b.askHandOver('default', 'http://a');
	while (!('here' in await b.place('default'))) {
		// Its own clients still reach the owner, and take nothing back.
		Promise.resolve(a.place('default')).catch(() => {});
		b.findOwner('default', 'http://a').catch(() => {});
		await new Promise(setImmediate);
	}

	t.is((await (await here(b)).cycle('second')).stateId, 2);
	t.deepEqual(await database.query('select loop_on from processual.identity'), [{loop_on: true}], 'its loop stays on');
	t.true(warnings.some(warning => /cannot reach this one at http:\/\/a, and asked for “default”/.test(warning)));
	t.true(warnings.some(warning => /fsync = off/.test(warning)), 'and of settings with which it may lose records');
});
