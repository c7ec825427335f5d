/** The expiry of held texts: when they are dropped, and how that is recorded. */
import test, {type ExecutionContext} from 'ava';
import {createSqliteJournal} from '../helpers/one-thread.ts';
import {settle, startIdentity} from '../actors/fixtures.ts';
import {temporaryFolder} from '../journal/records.ts';
import {deepEqual} from '../helpers/deep-equal.ts';

const day = 86_400_000;

/** An identity that holds texts of Viktor for at most two days. @param later how long after the first opening, in milliseconds */
const start = async (t: ExecutionContext, guard: object = {expireDays: 2}) => {
	const folder = await temporaryFolder(t);
	const open = async (later = 0) => {
		const opened = await startIdentity({
			guard, journal: createSqliteJournal({folder}),
			...(later > 0 && {time: {now: () => Date.UTC(2026, 0, 1) + later, elapsed: () => later}, newId: () => 'expired'}),
		});
		t.teardown(async () => opened.identity.dispose());
		return opened;
	};

	const opened = await open();
	await opened.identity.hold({sources: ['viktor'], note: 'Until it is clear.'});
	return {...opened, open};
};

/** Waits for a drop, which reads the journal in a thread. */
const untilDropped = async ({identity}: Awaited<ReturnType<typeof startIdentity>>, run: () => void): Promise<void> => {
	const dropped = new Promise(resolve => {
		identity.on('held.dropped', resolve);
	});
	run();
	await dropped;
};

/** Advances the clock, and waits for the reads of the journal that this starts. */
const wait = async ({identity, clock}: Awaited<ReturnType<typeof startIdentity>>, milliseconds: number): Promise<void> => {
	clock.increment(milliseconds);
	for (let i = 0; i < 5; i++) {
		await identity.held();
		await settle();
	}
};

test('a held text is dropped when it expires, as a decision with a reason; a newer one stays held', async t => {
	const opened = await start(t);
	const {identity} = opened;
	await identity.cycle({content: 'a', source: 'viktor', id: 'a'});
	await wait(opened, day);
	await identity.cycle({content: 'b', source: 'viktor', id: 'b'});
	await wait(opened, day - 1);
	t.is((await identity.held()).waiting, 2);
	const before = identity.tensor();
	await untilDropped(opened, () => opened.clock.increment(1));
	t.like(await identity.held(), {waiting: 1, texts: [{id: 'b'}]});
	deepEqual(t, identity.tensor(), before);
	const {revisions} = await identity.revisions();
	t.like(revisions.at(-1), {kind: 'drop', settled: 1, note: 'Nothing was decided for 2 days.', by: 'expiry'});
	await wait(opened, day - 1);
	t.is((await identity.held()).waiting, 1);
	await untilDropped(opened, () => opened.clock.increment(1));
	t.is((await identity.held()).waiting, 0);
});

test('texts that expired while the identity was closed are dropped when it opens', async t => {
	const {identity, open} = await start(t);
	for (const id of ['a', 'b']) {
		await identity.cycle({content: id, source: 'viktor', id});
	}

	await identity.dispose();
	const later = await open(40 * day);
	if ((await later.identity.held()).waiting > 0) {
		await untilDropped(later, () => {});
	}

	t.is((await later.identity.held()).waiting, 0);
	t.like((await later.identity.revisions()).revisions.at(-1), {kind: 'drop', settled: 2, by: 'expiry'});
});

test('a text held while the clock was ahead does not delay the expiry of later ones, and is dropped with them', async t => {
	const {identity, open} = await start(t);
	await identity.dispose();
	const ahead = await open(400 * day);
	await ahead.identity.cycle({content: 'a', source: 'viktor', id: 'a'});
	await ahead.identity.dispose();
	const back = await open(day);
	for (const id of ['b', 'c']) {
		await back.identity.cycle({content: id, source: 'viktor', id});
	}

	await back.identity.dispose();
	const later = await open(3 * day);
	if ((await later.identity.held()).waiting > 0) {
		await untilDropped(later, () => {});
	}

	t.like((await later.identity.revisions()).revisions.at(-1), {kind: 'drop', settled: 3, by: 'expiry'});
});

test('a released text does not expire, and without the option no text does', async t => {
	const decided = await start(t);
	await decided.identity.cycle({content: 'a', source: 'viktor', id: 'a'});
	await decided.identity.releaseHeld({ids: ['a']});
	await wait(decided, 3 * day);
	t.deepEqual((await decided.identity.revisions()).revisions.map(({kind}) => kind), ['hold', 'release']);

	const endless = await start(t, {});
	await endless.identity.cycle({content: 'a', source: 'viktor', id: 'a'});
	await wait(endless, 4000 * day);
	t.is((await endless.identity.held()).waiting, 1);
});

test('an expiry after 0 days is refused', async t => {
	await t.throwsAsync(startIdentity({guard: {expireDays: 0}}), {code: 'configuration', message: /expireDays must be a number above 0/v});
});
