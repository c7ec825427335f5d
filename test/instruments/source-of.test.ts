/** The source and the conversation of a text. */
import test from 'ava';
import {conversationOf, sourceOf} from '../../src/instruments/source-of.ts';

test('the source is that of the metadata if it is a string, else the trigger', t => {
	t.is(sourceOf({trigger: 'user', isHashed: false, metadata: {source: 'Ada'}}), 'Ada');
	t.is(sourceOf({trigger: 'user', isHashed: false, metadata: {source: 7}}), 'user');
	t.is(sourceOf({trigger: 'veille', isHashed: false, metadata: {}}), 'veille');
});

test('the source of a hashed record is its trigger', t => {
	t.is(sourceOf({trigger: 'user', isHashed: true, metadata: 'a3f0'}), 'user');
});

test('a source is cut to 200 characters, none of which is a control character', t => {
	const source = sourceOf({trigger: 'user', isHashed: false, metadata: {source: `A\u0000d\u001B[31ma\r\n\u2028${'🌊'.repeat(31_000)}`}});
	t.is(source, `Ad[31ma${'🌊'.repeat(193)}`);
	t.is(Array.from(source).length, 200);
});

test('a trigger that is used as the source is cut in the same way', t => {
	t.is(sourceOf({trigger: `\u0007${'x'.repeat(1000)}`, isHashed: false, metadata: {}}), 'x'.repeat(200));
});

test('a source of only white space and control characters is ignored', t => {
	t.is(sourceOf({trigger: 'user', isHashed: false, metadata: {source: ' \n\u0000'}}), 'user');
});

test('the conversation is that of the metadata, unchanged but for a limit of 200 characters, or null', t => {
	t.is(
		conversationOf({trigger: 'user', isHashed: false, metadata: {conversation: ` tea\n${'x'.repeat(1000)}`}}),
		` tea\n${'x'.repeat(195)}`,
	);
	t.is(conversationOf({trigger: 'user', isHashed: false, metadata: {conversation: ''}}), null);
	t.is(conversationOf({trigger: 'user', isHashed: false, metadata: {conversation: 7}}), null);
	t.is(conversationOf({trigger: 'user', isHashed: true, metadata: 'a3f0'}), null);
});
