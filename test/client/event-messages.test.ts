import test from 'ava';
import fc from 'fast-check';
import {eventMessages} from '../../src/client/event-messages.ts';

test('a message has its id, its type and its data', t => {
	t.deepEqual(eventMessages().read('id: run-7\nevent: state\ndata: {"state_id":7}\n\n'), [{id: 'run-7', event: 'state', data: '{"state_id":7}'}]);
});

test('comments and unknown fields say nothing', t => {
	t.deepEqual(eventMessages().read(': ping\n\nflavour: sweet\ndata: x\n\n'), [{id: '', event: 'message', data: 'x'}]);
});

test('lines of data belong together, and one space before each is none of it', t => {
	t.deepEqual(eventMessages().read('data: one\ndata:  two\ndata:three\ndata\n\n').map(({data}) => data), ['one\n two\nthree\n']);
});

test('an id counts until another is told, and a type for one message', t => {
	const messages = eventMessages('run-1').read('data: a\n\nid: run-2\nevent: state\ndata: b\n\ndata: c\n\n');
	t.deepEqual(messages.map(({id, event}) => [id, event]), [['run-1', 'message'], ['run-2', 'state'], ['run-2', 'message']]);
});

test('the service says how long to wait before coming back, in digits', t => {
	const messages = eventMessages();
	t.is(messages.retry, null);
	messages.read('retry: 2000\n\n');
	t.is(messages.retry, 2000);
	messages.read('retry: soon\n\n');
	t.is(messages.retry, 2000);
});

test('what has not ended is no message yet', t => {
	const messages = eventMessages();
	t.deepEqual(messages.read('data: half'), []);
	t.deepEqual(messages.read(' and half\n'), []);
	t.deepEqual(messages.read('\n').map(({data}) => data), ['half and half']);
});

test('however the text is cut into pieces and its lines end, the messages are the same', t => {
	const text = '\uFEFFid: r-1\nevent: a\ndata: 1\n\n: ping\n\nid: r-2\ndata: two\ndata: lines\n\nretry: 5\ndata: ünïcode 🙂\n\n';
	const whole = eventMessages().read(text);
	t.is(whole.length, 3);
	fc.assert(fc.property(
		fc.constantFrom('\n', '\r', '\r\n'),
		fc.array(fc.nat(text.length * 2), {maxLength: 12}),
		(ending, cuts) => {
			const sent = `${text.replaceAll('\n', ending)}: the end${ending}`;
			const places = [0, ...cuts.toSorted((a, b) => a - b), sent.length];
			const messages = eventMessages();
			const got = places.slice(1).flatMap((place, index) => messages.read(sent.slice(places[index], place)));
			t.deepEqual(got, whole);
		},
	));
});
