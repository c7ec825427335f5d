/** Who said a text. */
import test from 'ava';
import {sourceOf} from '../../src/instruments/source-of.ts';

test('the source is the metadata’s, if it is a string; else the trigger', t => {
	t.is(sourceOf({trigger: 'user', isHashed: false, metadata: {source: 'Ada'}}), 'Ada');
	t.is(sourceOf({trigger: 'user', isHashed: false, metadata: {source: 7}}), 'user');
	t.is(sourceOf({trigger: 'veille', isHashed: false, metadata: {}}), 'veille');
});

test('of a hashed record the trigger is all that is known', t => {
	t.is(sourceOf({trigger: 'user', isHashed: true, metadata: 'a3f0'}), 'user');
});
