/** What there is of a baseline before it is whole, and when it is. */
import test from 'ava';
import {paceOf, wholeAt} from '../../../src/instruments/drift/baseline.ts';
import type {BaselineText} from '../../../src/journal/validation.ts';

const hour = 3_600_000;

/** A text of each hour, every second by the agent: each is a conversation. */
const said = (count: number): BaselineText[] => Array.from({length: count}, (_, i) => ({
	id: `${i}`, source: i % 2 === 0 ? 'Ada' : 'self', time: i * hour, conversation: null, isOwn: i % 2 === 1, isUnread: false,
	vector: new Float32Array(),
}));

test('at an even pace a baseline is whole when each of its parts is', t => {
	const pace = paceOf(said(101))!;
	t.deepEqual(pace, {texts: 101, heard: 51, conversations: 51, from: 0, to: 100 * hour});
	t.is(wholeAt(pace), 100 * hour * 400 / 101);
});

test('no date is told where nothing was said, or all at once, or nothing by others', t => {
	t.is(paceOf([]), null);
	t.is(wholeAt(paceOf(said(1))!), null);
	t.is(wholeAt({...paceOf(said(40))!, heard: 0}), null);
});
