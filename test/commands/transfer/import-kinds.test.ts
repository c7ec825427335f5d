/** The kinds of entries: a file of another kind than the requested one is refused, and its kind is named. */
import test from 'ava';
import {ConfigurationError} from '../../../src/platform/errors.ts';
import type {Kind} from '../../../src/commands/transfer/entry-kinds.ts';
import {lines, numbers, open} from './open-import.ts';

test('entries of other kinds are skipped, and “all” imports every kind', async t => {
	const {store, messages, bring} = await open(t);
	const file = lines(
		{kind: 'thought', content: 'one'},
		{kind: 'message', conversation: 'a', role: 'user', content: 'hello', created: '2026-01-01T00:00:00Z'},
		{kind: 'dream', content: 'x'},
		{content: 'unnamed'},
	);
	t.like(await bring('some.jsonl', file), {added: 2, skipped: 1});
	const {rejected, added, unchanged} = await bring('some.jsonl', file, {kind: 'all'});
	t.deepEqual([added, unchanged], [1, 1]);
	t.deepEqual(rejected.map(({line}) => line), [3, 4]);
	t.is((await store.thoughts(9)).length, 2);
	t.is(messages().length, 1);
});

const kindsOf: Record<string, {kind: Kind; entry: Record<string, unknown>}> = {
	thoughts: {kind: 'thought', entry: {thought_type: 'insight', content: 'one'}},
	messages: {kind: 'message', entry: {conversation: 'a', role: 'user', content: 'one', created: '2026-01-01T00:00:00Z'}},
	directions: {
		kind: 'direction',
		entry: {category: 'affective', name: 'calm', pole_positive: 'calm', pole_negative: 'wild', vector: numbers('calm')},
	},
	state: {kind: 'state', entry: {state_id: 3, timestamp: '2026-01-01T00:00:00Z', content: 'one'}},
};

for (const [asked, {kind}] of Object.entries(kindsOf)) {
	for (const [given, {kind: own, entry}] of Object.entries(kindsOf)) {
		test(`a file of ${given} that is imported as ${asked} is ${given === asked ? 'accepted' : 'refused, and writes nothing'}`, async t => {
			const {store, messages, bring} = await open(t);
			if (given === asked) {
				t.like(await bring('some.jsonl', lines(entry), {kind}), {added: 1, rejected: []});
				return;
			}

			await t.throwsAsync(bring('some.jsonl', lines(entry), {kind}), {
				instanceOf: ConfigurationError,
				message: new RegExp(`line 1 has .*, like a ${own}\\. Import it as ${given};`),
			});
			t.deepEqual([await store.thoughts(1), await store.directions(), await store.latestState(), messages()], [[], [], null, []]);
		});
	}
}

test('a later entry that looks like another kind is rejected, unless it names its kind', async t => {
	const {bring} = await open(t);
	const message = kindsOf['messages']!.entry;
	const {
		rejected,
		added,
	} = await bring('thoughts.jsonl', lines({content: 'good'}, message, {...message, content: 'a thought', kind: 'thought'}));
	t.is(added, 2);
	t.deepEqual(rejected, [{line: 2, reason: 'it has conversation, role, created, like a message'}]);
});

test('fields that the store does not know do not change the kind of a thought', async t => {
	const {bring} = await open(t);
	t.like(await bring('thoughts.jsonl', lines({content: 'one', timestamp: '2026-01-01T00:00:00Z', name: 'a'}, {
		thought_type: 'x',
		content: 'two',
		state_id: 3,
		timestamp: '2026-01-01T00:00:00Z',
	})), {added: 2, rejected: []});
});
