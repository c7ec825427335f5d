/** Summaries of values that machines hold: bounded, without texts, and always JSON. */
import test from 'ava';
import fc from '../helpers/fast-check.ts';
import {oneLine} from '../../src/actors/process-context.ts';
import {summarise} from '../../src/observe/summary.ts';
import {StateTensor} from '../../src/kernel/state-tensor.ts';

const withoutTexts = (value: unknown) => summarise(value, false);
const withTexts = (value: unknown) => summarise(value, true);

test('a tensor, a value of one line and a vector are one line each', (t) => {
	const state = new StateTensor(3, '2026-01-01T00:00:00.000Z', Array.from({length: 8}, () => new Float32Array(1024)));
	t.deepEqual(withoutTexts({state, large: oneLine({floats: new Float32Array(9)}, 'nine floats'), vector: new Float32Array(1024)}), {
		state: 'state 3 of 2026-01-01T00:00:00.000Z',
		large: 'nine floats',
		vector: '1024 numbers',
	});
});

test('texts become “…” unless they are asked for', (t) => {
	const value = {type: 'cycle', content: 'my secret', metadata: {place: 'home'}, input: {context: 'for a friend', text: 'I am calm.'}};
	t.deepEqual(withoutTexts(value), {type: 'cycle', content: '…', metadata: '…', input: {context: '…', text: '…'}});
	t.deepEqual(withTexts(value), value);
});

test('the context of a machine is not a text', (t) => {
	t.deepEqual(withoutTexts({context: {counters: {user: 1}, content: 'my secret'}}), {context: {counters: {user: 1}, content: '…'}});
});

test('a translation without a context shows that it has none', (t) => {
	t.deepEqual(withoutTexts({context: null}), {context: null});
});

test('a text that is asked for is cut to 1000 characters, and not redacted', (t) => {
	t.deepEqual(withTexts({content: 'a'.repeat(2000)}), {content: `${'a'.repeat(1000)}…`});
	t.deepEqual(withTexts({content: 'see /etc/hosts'}), {content: 'see /etc/hosts'});
});

test('long lists and large dictionaries are counted', (t) => {
	t.deepEqual(
		withoutTexts({list: Array.from({length: 33}), map: Object.fromEntries(Array.from({length: 65}, (_, i) => [i, i]))}),
		{list: '33 items', map: '65 entries'},
	);
});

test('a long list outside a user’s text is counted, even if texts are asked for', (t) => {
	const themes = Array.from({length: 20}, (_, i) => `What would I do with hour ${i}?`);
	t.deepEqual(summarise({themes}, true), {themes: '20 items'});
	t.deepEqual(summarise({metadata: {themes}}, true), {metadata: {themes}});
});

test('objects are cut after three levels, or after the number asked for', (t) => {
	const nested = {a: {b: {c: {d: 1}, list: [1, 2]}}};
	t.deepEqual(withoutTexts(nested), {a: {b: {c: '{…}', list: [1, 2]}}});
	t.deepEqual(summarise(nested, false, 1), {a: '{…}'});
});

test('a fraction is rounded to six significant digits', (t) => {
	t.deepEqual(withoutTexts([0.123456789, 1_700_000_000_000, -2.5e-9]), [0.123457, 1_700_000_000_000, -2.5e-9]);
});

test('an error has its name and message, with paths redacted', (t) => {
	t.deepEqual(withoutTexts(new TypeError('cannot read \'/srv/data/model.bin\'')), {name: 'TypeError', message: 'cannot read …'});
	t.deepEqual(withoutTexts({warnings: ['no directions in /srv/data/directions.json']}), {warnings: ['no directions in …']});
});

test('live objects and functions become their class or their name', (t) => {
	t.deepEqual(withoutTexts({encoder: new Map(), embed: function embed() {}}), {encoder: '[Map]', embed: {type: 'embed'}});
});

test('a circular reference is cut', (t) => {
	const circular: Record<string, unknown> = {};
	circular['again'] = circular;
	t.true(JSON.stringify(withoutTexts(circular)).includes('{…}'));
});

test('a getter that throws does not break the watcher', (t) => {
	t.is(withoutTexts({get trap() {
		throw new Error('no');
	}}), '[unreadable]');
});

test('any value becomes JSON that survives parsing', (t) => {
	fc.assert(fc.property(fc.anything({
		withBigInt: true,
		withTypedArray: true,
		withMap: true,
		withDate: true,
		withNullPrototype: true,
	}), fc.boolean(), (value, contents) => {
		const shown = summarise(value, contents);
		const json = JSON.stringify(shown);
		return json === undefined ? shown === undefined : JSON.stringify(JSON.parse(json)) === json;
	}));
	t.pass();
});

test('no value under a text’s key is included, however deep', (t) => {
	const secret = 'a very secret text';
	const nested = fc.letrec(tie => ({
		value: fc.oneof({maxDepth: 6}, fc.integer(), fc.constant({
			content: secret,
			metadata: {deep: [secret]},
			text: secret,
			context: secret,
		}), fc.array(tie('value')), fc.dictionary(fc.constantFrom('event', 'input', 'snapshot', 'context'), tie('value'))),
	})).value;
	fc.assert(fc.property(nested, value => !(JSON.stringify(summarise(value, false)) ?? '').includes(secret)));
	t.pass();
});

test('a long text with paths is redacted and cut', (t) => {
	const shown = summarise(`/secret/place ${'/x '.repeat(1_000_000)}`, true) as string;
	t.true(shown.startsWith('… '));
	t.true(shown.endsWith('…'));
	t.true(shown.length <= 1001);
});
