/** Who said a text, and in which conversation. */
import test from 'ava';
import {conversationOf, sourceOf} from '../../src/instruments/source-of.ts';

test('the source is the metadata’s, if it is a string; else the trigger', t => {
	t.is(sourceOf({trigger: 'user', isHashed: false, metadata: {source: 'Ada'}}), 'Ada');
	t.is(sourceOf({trigger: 'user', isHashed: false, metadata: {source: 7}}), 'user');
	t.is(sourceOf({trigger: 'veille', isHashed: false, metadata: {}}), 'veille');
});

test('of a hashed record the trigger is all that is known', t => {
	t.is(sourceOf({trigger: 'user', isHashed: true, metadata: 'a3f0'}), 'user');
});

test('a source of 63 KB is read as its first 200 characters, and none of them is a control character', t => {
	const source = sourceOf({trigger: 'user', isHashed: false, metadata: {source: `A\u0000d\u001B[31ma\r\n\u2028${'🌊'.repeat(31_000)}`}});
	t.is(source, `Ad[31ma${'🌊'.repeat(193)}`);
	t.is(Array.from(source).length, 200);
});

test('a trigger that stands for the source is cut as the source is', t => {
	t.is(sourceOf({trigger: `\u0007${'x'.repeat(1000)}`, isHashed: false, metadata: {}}), 'x'.repeat(200));
});

test('a source of nothing but blanks and control characters is none', t => {
	t.is(sourceOf({trigger: 'user', isHashed: false, metadata: {source: ' \n\u0000'}}), 'user');
});

test('the conversation is the metadata’s, bit for bit as far as a name goes; null without one', t => {
	t.is(
		conversationOf({trigger: 'user', isHashed: false, metadata: {conversation: ` tea\n${'x'.repeat(1000)}`}}),
		` tea\n${'x'.repeat(195)}`,
	);
	t.is(conversationOf({trigger: 'user', isHashed: false, metadata: {conversation: ''}}), null);
	t.is(conversationOf({trigger: 'user', isHashed: false, metadata: {conversation: 7}}), null);
	t.is(conversationOf({trigger: 'user', isHashed: true, metadata: 'a3f0'}), null);
});
