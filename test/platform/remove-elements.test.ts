/** Removing elements from a text. */
import test from 'ava';
import {removeElements} from '../../src/platform/remove-elements.ts';

const opening = /<(note|aside)\b[^<>]*>/g;

test('an element ends at the next closing tag of its name, in any case', t => {
	t.is(removeElements('one <note>a<aside>b</note>two</aside> <aside class="x">c</ASIDE >three', opening, '|'), 'one |two</aside> |three');
});

test('adjacent elements have one replacement, and a text without any stays as it is', t => {
	t.is(removeElements('one<note>a</note><aside>b</aside>two', opening, '|'), 'one|two');
	t.is(removeElements('one </note> two', opening, '|'), 'one </note> two');
});

test('an unclosed element stays, and the text is searched once for each name', t => {
	const text = '<note>'.repeat(200_000);
	// A search from each tag to the end would take minutes, and AVA would time out.
	t.true(removeElements(text, opening, '|') === text);
});

test('made-up names do not multiply the searches', t => {
	const text = Array.from({length: 200_000}, (_, n) => `<x-${n}>`).join('');
	t.true(removeElements(text, /<(x-\d+)>/g, '|') === text);
});
