/** How much of a baseline there is before it is complete, and when it will be. */
import test from 'ava';
import {describePace, paceOf, wholeAt} from '../../../src/instruments/drift/pace.ts';
import type {BaselineText} from '../../../src/journal/validation.ts';

const hour = 3_600_000;

/** One text each hour, every second by the agent; each is a conversation. */
const said = (count: number): BaselineText[] => Array.from({length: count}, (_, i) => ({
	id: `${i}`, source: i % 2 === 0 ? 'Ada' : 'self', time: i * hour, conversation: null, isOwn: i % 2 === 1, isUnread: false,
	vector: new Float32Array(),
}));

test('at an even pace a baseline is complete when its slowest count is', t => {
	const pace = paceOf(said(101))!;
	t.deepEqual(pace, {texts: 101, heard: 51, conversations: 51, from: 0, to: 100 * hour});
	t.is(wholeAt(pace), 100 * hour * 400 / 101);
});

test('no date is given without texts, for texts within one day, or without texts of others', t => {
	t.is(paceOf([]), null);
	t.is(wholeAt(paceOf(said(1))!), null);
	t.is(wholeAt(paceOf(said(24))!), null);
	t.is(wholeAt({...paceOf(said(40))!, heard: 0}), null);
});

test('the description counts texts and conversations, and gives a date unless it is over two years away', t => {
	t.is(describePace({texts: 1, heard: 1, conversations: 1, from: 0, to: 0}), 'There is 1 text, 1 of them by others, in 1 conversation.');
	t.is(
		describePace({texts: 100, heard: 50, conversations: 10, from: 0, to: 48 * hour}),
		'There are 100 texts, 50 of them by others, in 10 conversations; at the pace until 3 January 1970, that is reached on 9 January 1970.',
	);
	t.regex(describePace({texts: 3, heard: 2, conversations: 2, from: 0, to: 400 * 24 * hour}), /that takes more than two years\.$/);
	t.regex(describePace({texts: 400, heard: 200, conversations: 30, from: 0, to: hour}), /in 30 conversations: enough\.$/);
});
