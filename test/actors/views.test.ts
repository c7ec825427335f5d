/** What is handed out is read only: whoever writes into it gets an error, and changes nothing that others see. */
import test from 'ava';
import {dimensions, defaultLoop, type LoopConfig} from '../../src/index.ts';
import {StateTensor} from '../../src/tensor/state-tensor.ts';
import {settle, startProcess, vectorOf} from './fixtures.ts';

/** Tries to overwrite, to add to and to empty everything within a value; says what gave way. */
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
	const gaveWay = attempts.flatMap(([place, attempt]) => {
		try {
			attempt();
			return [place];
		} catch (error) {
			return error instanceof TypeError ? [] : [`${place}: ${String(error)}`];
		}
	});
	return [...gaveWay, ...parts.flatMap(([key, part]) => writtenInto(part, `${path}.${key}`))];
};

const start = async () => startProcess({
	translator: async () => ({translate: async () => ({text: 'calm', reasoningDetected: false})}),
	directions: async () => ({
		directions: [{name: 'joy', category: 'affective', polePositive: 'joyful', poleNegative: 'sad', vector: vectorOf('a direction')}],
		warnings: [],
	}),
	initialState: async () => {
		throw new Error('no store');
	},
});

type Started = Awaited<ReturnType<typeof start>>['process'];

const views: Record<string, (process: Started) => object> = {
	health: process => process.health(),
	readiness: process => process.readiness(),
	state: process => process.state(),
	vigilance: process => process.vigilance(),
	metrics: process => process.metrics(),
	profile: process => process.profile(),
	'daemon.status': process => process.daemon.status(),
	'daemon.start': process => process.daemon.start().config,
};

for (const [name, read] of Object.entries(views)) {
	test(`${name} gives a frozen view, and the next reader sees what was there`, async t => {
		const {process} = await start();
		await process.cycle({content: 'hello'});
		const before = structuredClone(read(process));
		t.deepEqual(writtenInto(read(process), name), []);
		t.deepEqual(read(process), before);
	});
}

test('a view that stays the same is made and frozen once', async t => {
	const {process} = await start();
	t.is(process.state(), process.state());
	t.is(process.profile(), process.profile());
	t.is(process.vigilance(), process.vigilance());
});

test('the boot report is frozen: it is what readiness is told from', async t => {
	const {process} = await start();
	t.deepEqual(writtenInto(await process.ready(), 'report'), []);
	t.regex(process.readiness().parts.store, /INITIAL STATE IS RANDOM/);
});

test('the answers of a cycle and of a translation are frozen', async t => {
	const {process} = await start();
	t.deepEqual(writtenInto(await process.cycle({content: 'hello'}), 'result'), []);
	t.deepEqual(writtenInto(await process.translate({context: null}), 'translation'), []);
});

test('a listener cannot change what other listeners and the caller get', async t => {
	const {process, encoder} = await start();
	const gaveWay: string[] = [];
	const heard: string[] = [];
	process.subscribe(event => {
		gaveWay.push(...writtenInto(event, event.type));
		heard.push(event.type);
	});
	encoder.fail('bad', new Error('the model broke'));
	const {stateId} = await process.cycle({content: 'hello'});
	await t.throwsAsync(process.cycle({content: 'bad'}));
	await process.translate({context: null});
	await process.reset();
	await settle();
	t.deepEqual(heard, ['cycle.done', 'cycle.failed', 'translation.done', 'reset.done']);
	t.deepEqual(gaveWay, []);
	t.is(stateId, 1);
});

test('what a caller does with what it gave changes nothing', async t => {
	const rows = dimensions.map(dimension => vectorOf(dimension));
	const loop: {-readonly [Key in keyof LoopConfig]: number} = {...defaultLoop};
	const {process} = await startProcess({loop, initialState: async () => ({state: new StateTensor(7, '2026-01-01T00:00:00.000Z', rows), warnings: []})});
	const before = structuredClone(process.state());
	rows[0]!.fill(0);
	loop.cycleIntervalSeconds = 1;
	await process.reset();
	t.deepEqual(process.state(), before);
	t.is(process.daemon.start().config.cycleIntervalSeconds, defaultLoop.cycleIntervalSeconds);
});

test('the constants of the package are frozen', t => {
	t.deepEqual(writtenInto({dimensions, defaultLoop}, 'constants'), ['constants.dimensions', 'constants.defaultLoop', 'constants.added']);
});
