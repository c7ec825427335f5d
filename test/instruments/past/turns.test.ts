/** Turns limit how much work runs at once: a short queue that is fair to askers. */
import test from 'ava';
import {Turns} from '../../../src/instruments/past/turns.ts';

/** Work that records its start, and ends on request. */
const startWork = (turns: Turns) => {
	const begun: string[] = [];
	const ends = new Map<string, () => void>();
	const askers = new Map<string, object>();
	/** @param name The asker's letter, and a number. */
	const take = async (name: string, options: Parameters<Turns['run']>[2] = {}): Promise<string> => {
		const asker = askers.get(name[0]!) ?? {};
		askers.set(name[0]!, asker);
		return turns.run(asker, async () => {
			begun.push(name);
			const {promise, resolve} = Promise.withResolvers<void>();
			ends.set(name, resolve);
			await promise;
			return name;
		}, options);
	};

	return {begun, take, end: (name: string) => ends.get(name)!()};
};

test('at most the allowed number run at once, and the next starts when one of them ends', async t => {
	const {begun, take, end} = startWork(new Turns(2, 3));
	const all = [take('a1'), take('b1'), take('c1')];
	t.deepEqual(begun, ['a1', 'b1']);
	end('a1');
	await all[0];
	t.deepEqual(begun, ['a1', 'b1', 'c1']);
	end('b1');
	end('c1');
	t.deepEqual(await Promise.all(all), ['a1', 'b1', 'c1']);
});

test('askers take turns: one question does not wait behind all questions of another asker', async t => {
	const {begun, take, end} = startWork(new Turns(1, 9));
	const all = ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1'].map(async name => take(name));
	for (let i = 0; i < all.length; i++) {
		end(begun[i]!);
		await Promise.race(all.filter((_, k) => ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1'][k] === begun[i]));
	}

	t.deepEqual(begun, ['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']);
});

test('a full queue refuses the newest question of the asker with the most, and says when to retry', async t => {
	const {take, begun, end} = startWork(new Turns(1, 3));
	const first = take('a1');
	const [a2, a3, a4] = [take('a2'), take('a3'), take('a4')];
	const b1 = take('b1');
	await t.throwsAsync(a4, {code: 'busy', message: /1 under way, and 3 waiting/});
	const error = await t.throwsAsync(take('a5'), {code: 'busy'});
	t.like(error, {retryAfter: 5, retryable: true});
	for (const [name, done] of Object.entries({a1: first, a2, b1, a3})) {
		end(name);
		await done;
	}

	t.deepEqual(begun, ['a1', 'a2', 'b1', 'a3']);
});

test('a full queue does not refuse a part of work that was already accepted', async t => {
	const {take, begun, end} = startWork(new Turns(1, 0));
	const first = take('a1');
	await t.throwsAsync(take('a2'), {code: 'busy'});
	const part = take('a3', {isRefusable: false});
	end('a1');
	await first;
	t.deepEqual(begun, ['a1', 'a3']);
	end('a3');
	t.is(await part, 'a3');
});

test('an aborted question leaves the queue, and a question with an aborted signal does not join it', async t => {
	const {take, begun, end} = startWork(new Turns(1, 3));
	const first = take('a1');
	const left = new AbortController();
	const gone = take('b1', {signal: left.signal});
	const last = take('c1');
	left.abort(new Error('the caller left'));
	await t.throwsAsync(gone, {message: 'the caller left'});
	await t.throwsAsync(take('d1', {signal: left.signal}), {message: 'the caller left'});
	end('a1');
	await first;
	t.deepEqual(begun, ['a1', 'c1']);
	end('c1');
	await last;
	const again = take('a2');
	end('a2');
	t.is(await again, 'a2');
});

test('work that fails passes its turn to the next', async t => {
	const turns = new Turns(1, 3);
	const {take, end} = startWork(turns);
	const failing = turns.run({}, async () => {
		throw new Error('broken');
	});
	const next = take('a1');
	await t.throwsAsync(failing, {message: 'broken'});
	end('a1');
	t.is(await next, 'a1');
});
