import test from 'ava';
import {forwardedJournal, journalMethods, type Journal} from '../../src/journal/journal.ts';

/** Keeps its calls in a private field, which needs its `this`. */
class Listed {
	readonly #calls: string[] = [];

	get calls(): readonly string[] {
		return this.#calls;
	}

	list(call: string): string {
		this.#calls.push(call);
		return `answer of ${call}`;
	}
}

const listed = () => {
	const list = new Listed();
	const methods = Object.fromEntries(journalMethods.map(method => [method, function (this: Listed, ...given: unknown[]) {
		return this.list([method, ...given].join(' '));
	}]));
	return Object.assign(list, methods) as unknown as Listed & Journal;
};

test('a forwarded journal passes on every call, with its parameters, its answer and its `this`', async t => {
	const journal = listed();
	const forwarded = forwardedJournal(() => journal);
	t.is(await forwarded.read(3, 2) as unknown, 'answer of read 3 2');
	for (const method of journalMethods) {
		await (forwarded[method] as () => Promise<unknown>)();
	}

	t.deepEqual(journal.calls, ['read 3 2', ...journalMethods]);
});

test('a forwarded journal asks the journal that is loaded at the time of the call, and rejects if there is none', async t => {
	let journal: Journal | undefined;
	const forwarded = forwardedJournal(() => {
		if (!journal) {
			throw new Error('not loaded');
		}

		return journal;
	});
	await t.throwsAsync(forwarded.find('a'), {message: 'not loaded'});
	journal = listed();
	t.is(await forwarded.find('a') as unknown, 'answer of find a');
});
