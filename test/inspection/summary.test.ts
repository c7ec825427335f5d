/** What is shown of values that machines hold: bounded, without texts, and always JSON. */
import test from 'ava';
import fc from 'fast-check';
import {Handle} from '../../src/actors/handle.ts';
import {summarise} from '../../src/inspection/summary.ts';
import {StateTensor} from '../../src/tensor/state-tensor.ts';

const veiled = (value: unknown) => summarise(value, false);
const whole = (value: unknown) => summarise(value, true);

test('a tensor, a handle and a vector are one line each', (t) => {
	const state = new StateTensor(3, '2026-01-01T00:00:00.000Z', Array.from({length: 8}, () => new Float32Array(1024)));
	t.deepEqual(veiled({state, handle: new Handle(new Float32Array(9), 'nine floats'), vector: new Float32Array(1024)}), {
		state: 'state 3 of 2026-01-01T00:00:00.000Z',
		handle: 'nine floats',
		vector: '1024 numbers',
	});
});

test('texts stand as “…” unless they are asked for', (t) => {
	const value = {type: 'cycle', content: 'my secret', metadata: {place: 'home'}, input: {context: 'for a friend', text: 'I am calm.'}};
	t.deepEqual(veiled(value), {type: 'cycle', content: '…', metadata: '…', input: {context: '…', text: '…'}});
	t.deepEqual(whole(value), value);
});

test('the context of a machine is no text', (t) => {
	t.deepEqual(veiled({context: {counters: {user: 1}, content: 'my secret'}}), {context: {counters: {user: 1}, content: '…'}});
});

test('a translation without a context shows that it has none', (t) => {
	t.deepEqual(veiled({context: null}), {context: null});
});

test('a text that is asked for is cut to 1000 characters, and otherwise left as it is', (t) => {
	t.deepEqual(whole({content: 'a'.repeat(2000)}), {content: `${'a'.repeat(1000)}…`});
	t.deepEqual(whole({content: 'see /etc/hosts'}), {content: 'see /etc/hosts'});
});

test('long lists and large dictionaries are counted', (t) => {
	t.deepEqual(veiled({list: Array.from({length: 33}), map: Object.fromEntries(Array.from({length: 65}, (_, i) => [i, i]))}), {list: '33 items', map: '65 entries'});
});

test('an error tells its name and message, without places', (t) => {
	t.deepEqual(veiled(new TypeError('cannot read \'/srv/data/model.bin\'')), {name: 'TypeError', message: 'cannot read …'});
	t.deepEqual(veiled({warnings: ['no directions in /srv/data/directions.json']}), {warnings: ['no directions in …']});
});

test('what is alive stands as its class or its name', (t) => {
	t.deepEqual(veiled({encoder: new Map(), embed: function embed() {}}), {encoder: '[Map]', embed: {type: 'embed'}});
});

test('a circle ends', (t) => {
	const circle: Record<string, unknown> = {};
	circle['again'] = circle;
	t.true(JSON.stringify(veiled(circle)).includes('{…}'));
});

test('what cannot be read does not break who watches', (t) => {
	t.is(veiled({get trap() {
		throw new Error('no');
	}}), '[unreadable]');
});

test('any value becomes JSON that says the same when it is read back', (t) => {
	fc.assert(fc.property(fc.anything({withBigInt: true, withTypedArray: true, withMap: true, withDate: true, withNullPrototype: true}), fc.boolean(), (value, contents) => {
		const shown = summarise(value, contents);
		const json = JSON.stringify(shown);
		return json === undefined ? shown === undefined : JSON.stringify(JSON.parse(json)) === json;
	}));
	t.pass();
});

test('nothing under a text’s key is told, wherever it stands', (t) => {
	const secret = 'a very secret text';
	const nested = fc.letrec(tie => ({
		value: fc.oneof({maxDepth: 6}, fc.integer(), fc.constant({content: secret, metadata: {deep: [secret]}, text: secret, context: secret}), fc.array(tie('value')), fc.dictionary(fc.constantFrom('event', 'input', 'snapshot', 'context'), tie('value'))),
	})).value;
	fc.assert(fc.property(nested, value => !(JSON.stringify(summarise(value, false)) ?? '').includes(secret)));
	t.pass();
});

test('a long text with places is looked at no farther than it is told', (t) => {
	const shown = summarise(`/secret/place ${'/x '.repeat(1_000_000)}`, true) as string;
	t.true(shown.startsWith('… '));
	t.true(shown.endsWith('…'));
	t.true(shown.length <= 1001);
});
