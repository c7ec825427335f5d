/** Which texts a model reads badly. */
import test from 'ava';
import {isUnread} from '../../../src/instruments/drift/baseline.ts';

const cases: Array<[string, Parameters<typeof isUnread>[0], boolean]> = [
	['a sentence', {tokens: 12, characters: 40, isTruncated: false, unknownShare: 0, language: 'en'}, false],
	['what an encoder says nothing of', {}, false],
	['one word', {tokens: 2, characters: 4}, true],
	['a text that was cut off', {tokens: 128, characters: 500, isTruncated: true}, true],
	['emoji', {tokens: 8, characters: 30, unknownShare: 1}, true],
	['JSON, of which single signs are read', {tokens: 60, characters: 84, unknownShare: 0}, true],
	['another language, in pieces of words', {tokens: 20, characters: 38, unknownShare: 0.01}, true],
];

for (const [what, report, expected] of cases) {
	test(`${what} is read ${expected ? 'badly' : 'well'}`, t => {
		t.is(isUnread(report), expected);
	});
}
