/** Which texts a model reads badly. */
import test from 'ava';
import {isUnread} from '../../../src/instruments/drift/baseline.ts';
import {Chart} from '../../../src/instruments/drift/chart.ts';

const cases: Array<[string, Parameters<typeof isUnread>[0], boolean]> = [
	['a sentence', {tokens: 12, characters: 40, isTruncated: false, unknownShare: 0, language: 'en'}, false],
	['a text without a token report', {}, false],
	['one word', {tokens: 2, characters: 4}, true],
	['a text that was cut off', {tokens: 128, characters: 500, isTruncated: true}, true],
	['emoji', {tokens: 8, characters: 30, unknownShare: 1}, true],
	['JSON that is split into single characters', {tokens: 60, characters: 84, unknownShare: 0}, true],
	['a language that is split into pieces of words', {tokens: 20, characters: 38, unknownShare: 0.01}, true],
];

for (const [what, report, expected] of cases) {
	test(`${what} is read ${expected ? 'badly' : 'well'}`, t => {
		t.is(isUnread(report), expected);
	});
}

test('the unread share of a reading is at most 1, even if well-read texts go against the reading', t => {
	const chart = new Chart({
		measure: {width: 1, factor: Float64Array.of(1)}, mean: Float64Array.of(0), repeating: 1, usual: 1, charts: [{span: 8, limit: 1}],
	});
	const unread = {source: 'Ada', texts: 2, sum: Float64Array.of(2)};
	const texts = [1, 2, 3].map(id => ({id: `${id}`, source: 'Ada', time: 0}));
	chart.add(texts, [unread, {source: 'Ben', texts: 1, sum: Float64Array.of(-1)}], {unread: [unread]});
	t.is(chart.describe().unreadShare, 1);
});
