/** Views are read-only: writing into one throws, and changes nothing that others see. */
import test from 'ava';
import {dimensions, defaultLoop, type LoopConfig} from '../../src/index.ts';
import {StateTensor} from '../../src/kernel/state-tensor.ts';
import {mayFail} from '../../src/sources/source.ts';
import {joy, settle, startIdentity, vectorOf} from './fixtures.ts';

/** Tries to overwrite and to add to everything within a value. Returns the places where this succeeded. */
const writtenInto = (value: unknown, path: string): string[] => {
	if (typeof value !== 'object' || value === null || value instanceof Error) {
		return [];
	}

	const parts = Object.entries(value);
	const attempts: Array<[string, () => unknown]> = [
		...parts.map(([key, part]): [string, () => unknown] => [`${path}.${key}`, () => {
			(value as Record<string, unknown>)[key] = typeof part === 'number' ? part + 1000 : 'written';
		}]),
		[`${path}.added`, () => {
			Object.assign(value, {added: 'written'});
		}],
	];
	const written = attempts.flatMap(([place, attempt]) => {
		try {
			attempt();
			return [place];
		} catch (error) {
			return error instanceof TypeError ? [] : [`${place}: ${String(error)}`];
		}
	});
	return [...written, ...parts.flatMap(([key, part]) => writtenInto(part, `${path}.${key}`))];
};

const start = async () => startIdentity({
	translator: async () => ({translate: async () => ({text: 'calm', reasoningDetected: false})}),
	directions: async () => [joy],
	initialState: mayFail(async () => {
		throw new Error('no store');
	}),
});

type Started = Awaited<ReturnType<typeof start>>['identity'];

const views: Record<string, (identity: Started) => object> = {
	health: identity => identity.health(),
	readiness: identity => identity.readiness(),
	state: identity => identity.state(),
	vigilance: identity => identity.vigilance(),
	metrics: identity => identity.metrics(),
	profile: identity => identity.profile(),
	'daemon.status': identity => identity.daemon.status(),
};

for (const [name, read] of Object.entries(views)) {
	test(`${name} gives a frozen view, so the next reader sees the same`, async t => {
		const {identity} = await start();
		await identity.cycle({content: 'hello'});
		const before = structuredClone(read(identity));
		t.deepEqual(writtenInto(read(identity), name), []);
		t.deepEqual(read(identity), before);
	});
}

test('an unchanged view is made once', async t => {
	const {identity} = await start();
	t.is(identity.state(), identity.state());
	t.is(identity.profile(), identity.profile());
	t.is(identity.vigilance(), identity.vigilance());
});

test('the boot report, from which readiness is read, is frozen', async t => {
	const {identity} = await start();
	t.deepEqual(writtenInto(await identity.ready(), 'report'), []);
	t.regex(identity.readiness().parts.store, /a random one was made/);
});

test('the answers of cycle, translate and daemon.start are frozen', async t => {
	const {identity} = await start();
	t.deepEqual(writtenInto(await identity.cycle({content: 'hello'}), 'result'), []);
	t.deepEqual(writtenInto(await identity.translate({context: null}), 'translation'), []);
	t.deepEqual(writtenInto((await identity.daemon.start()).config, 'config'), []);
});

test('events are frozen, so a listener cannot change what others receive', async t => {
	const {identity, encoder} = await start();
	const written: string[] = [];
	const types: string[] = [];
	identity.on('*', event => {
		written.push(...writtenInto(event, event.type));
		types.push(event.type);
	});
	encoder.fail('bad', new Error('the model broke'));
	const {stateId} = await identity.cycle({content: 'hello'});
	await t.throwsAsync(identity.cycle({content: 'bad'}));
	await identity.translate({context: null});
	await identity.reset();
	await settle();
	t.deepEqual(types, ['cycle.done', 'cycle.failed', 'translation.done', 'reset.done']);
	t.deepEqual(written, []);
	t.is(stateId, 1);
});

test('changing the initial state or the loop after passing them has no effect', async t => {
	const rows = dimensions.map(dimension => vectorOf(dimension));
	const loop: {-readonly [Key in keyof LoopConfig]: number} = {...defaultLoop};
	const {identity} = await startIdentity({loop, initialState: async () => new StateTensor(7, '2026-01-01T00:00:00.000Z', rows)});
	const before = structuredClone(identity.state());
	rows[0]!.fill(0);
	loop.cycleIntervalSeconds = 1;
	await identity.reset();
	t.deepEqual(identity.state(), before);
	t.is((await identity.daemon.start()).config!.cycleIntervalSeconds, defaultLoop.cycleIntervalSeconds);
});

test('the constants of the package are frozen', t => {
	t.deepEqual(writtenInto({dimensions, defaultLoop}, 'constants'), ['constants.dimensions', 'constants.defaultLoop', 'constants.added']);
});
