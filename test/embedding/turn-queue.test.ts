/** Which text is embedded next: turns by identity, then by source; cycles before questions. */
import test from 'ava';
import fc from '../helpers/fast-check.ts';
import {TurnQueue, type TextTurn} from '../../src/embedding/turn-queue.ts';

const [ada, ben] = [{}, {}];

const queueOf = (...tasks: ReadonlyArray<readonly [string, TextTurn?]>) => {
	const queue = new TurnQueue<string>();
	for (const [task, turn] of tasks) {
		queue.add(task, turn);
	}

	return queue;
};

const takeAll = (queue: TurnQueue<string>): string[] => {
	const taken: string[] = [];
	for (let task = queue.take(); task !== null; task = queue.take()) {
		taken.push(task);
	}

	return taken;
};

test('identities take turns, and so do the sources of each', t => {
	const queue = queueOf(
		['loud 1', {identity: ada, source: 'loud'}],
		['loud 2', {identity: ada, source: 'loud'}],
		['loud 3', {identity: ada, source: 'loud'}],
		['quiet', {identity: ada, source: 'quiet'}],
		['ben 1', {identity: ben}],
		['ben 2', {identity: ben}],
	);
	t.deepEqual(takeAll(queue), ['loud 1', 'ben 1', 'quiet', 'ben 2', 'loud 2', 'loud 3']);
});

test('a new identity or source goes before further texts of the last one served', t => {
	const queue = queueOf(['ada 1', {identity: ada, source: 'a'}], ['ada 2', {identity: ada, source: 'a'}]);
	t.is(queue.take(), 'ada 1');
	queue.add('ben', {identity: ben});
	queue.add('eve', {identity: ada, source: 'eve'});
	t.deepEqual(takeAll(queue), ['ben', 'eve', 'ada 2']);
});

test('a question waits while a cycle waits', t => {
	const queue = queueOf(['question 1', {identity: ada, isQuestion: true}], ['question 2', {identity: ben, isQuestion: true}], [
		'cycle 1',
		{identity: ada},
	]);
	t.is(queue.take(), 'cycle 1');
	t.is(queue.take(), 'question 1');
	queue.add('cycle 2', {identity: ada});
	t.deepEqual(takeAll(queue), ['cycle 2', 'question 2']);
});

test('a text that does not fit keeps its turn', t => {
	const queue = queueOf(['long', {identity: ada}], ['short', {identity: ben}]);
	t.is(queue.take(task => task === 'short'), null);
	t.deepEqual(takeAll(queue), ['long', 'short']);
});

test('every text is taken once unless deleted, and no source has two turns in a row while another of its identity waits', t => {
	const names = fc.constantFrom('a', 'b', 'c');
	fc.assert(fc.property(fc.array(fc.record({
		identity: fc.constantFrom(ada, ben),
		source: names,
		isGone: fc.boolean(),
	}), {maxLength: 40}), given => {
		const queue = new TurnQueue<(typeof given)[number]>();
		for (const task of given) {
			queue.add(task, task);
		}

		for (const task of given.filter(({isGone}) => isGone)) {
			queue.delete(task);
		}

		const kept = new Set(given.filter(({isGone}) => !isGone));
		t.is(queue.size, kept.size);
		const waiting = new Map<object, string>();
		for (let task = queue.take(); task !== null; task = queue.take()) {
			const {identity, source} = task;
			t.true(kept.delete(task));
			const others = [...kept].some(other => other.identity === identity && other.source !== source);
			t.false(others && waiting.get(identity) === source);
			waiting.set(identity, source);
		}

		t.is(kept.size, 0);
	}));
});
