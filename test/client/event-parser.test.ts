import test from 'ava';
import fc from '../helpers/fast-check.ts';
import {EventParser} from '../../src/client/follow-events.ts';

test('a message has its id, its type and its data', t => {
	t.deepEqual(
		new EventParser().read('id: run-7\nevent: state\ndata: {"state_id":7}\n\n'),
		[{id: 'run-7', event: 'state', data: '{"state_id":7}'}],
	);
});

test('comments and unknown fields are ignored', t => {
	t.deepEqual(new EventParser().read(': ping\n\nflavour: sweet\ndata: x\n\n'), [{id: '', event: 'message', data: 'x'}]);
});

test('lines of data are joined, each without one leading space', t => {
	t.deepEqual(new EventParser().read('data: one\ndata:  two\ndata:three\ndata\n\n').map(({data}) => data), ['one\n two\nthree\n']);
});

test('an id applies until the next one, a type to one message', t => {
	const messages = new EventParser('run-1').read('data: a\n\nid: run-2\nevent: state\ndata: b\n\ndata: c\n\n');
	t.deepEqual(messages.map(({id, event}) => [id, event]), [['run-1', 'message'], ['run-2', 'state'], ['run-2', 'message']]);
});

test('a message without data sets the last id; an incomplete message does not', t => {
	const parser = new EventParser('run-1');
	t.deepEqual(parser.read('retry: 2000\nid: run-2\n\nid: run-3\ndata: half\n'), []);
	t.is(parser.id, 'run-2');
});

test('retry sets the time before reconnecting if it is a number', t => {
	const parser = new EventParser();
	t.is(parser.retryMs, null);
	parser.read('retry: 2000\n\n');
	t.is(parser.retryMs, 2000);
	parser.read('retry: soon\n\n');
	t.is(parser.retryMs, 2000);
});

test('an incomplete message is kept until its end arrives', t => {
	const parser = new EventParser();
	t.deepEqual(parser.read('data: half'), []);
	t.deepEqual(parser.read(' and half\n'), []);
	t.deepEqual(parser.read('\n').map(({data}) => data), ['half and half']);
});

test('the messages do not depend on chunks and line endings', t => {
	const text = '\uFEFFid: r-1\nevent: a\ndata: 1\n\n: ping\n\nid: r-2\ndata: two\ndata: lines\n\nretry: 5\ndata: ünïcode 🙂\n\n';
	const whole = new EventParser().read(text);
	t.is(whole.length, 3);
	fc.assert(fc.property(
		fc.constantFrom('\n', '\r', '\r\n'),
		fc.array(fc.nat(text.length * 2), {maxLength: 12}),
		(ending, cuts) => {
			const sent = `${text.replaceAll('\n', ending)}: the end${ending}`;
			const places = [0, ...cuts.toSorted((a, b) => a - b), sent.length];
			const parser = new EventParser();
			const got = places.slice(1).flatMap((place, index) => parser.read(sent.slice(places[index], place)));
			t.deepEqual(got, whole);
		},
	));
});
