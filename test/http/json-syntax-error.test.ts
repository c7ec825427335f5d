/**
 * The position of a syntax error in JSON.
 */
import test from 'ava';
import fc from '../helpers/fast-check.ts';
import {often} from '../helpers/often.ts';
import {findSyntaxError} from '../../src/http/middleware/parse-json.ts';

const breaks = (text: string, offset: number, error: string) => {
	test(`${JSON.stringify(text)} has an error at ${offset}: ${error}`, (t) => {
		t.deepEqual(findSyntaxError(text), {offset, error});
	});
};

breaks('', 0, 'ValueExpected');
breaks('tru', 0, 'InvalidSymbol');
breaks('[1] [2]', 4, 'EndOfFileExpected');
breaks('[1,]', 3, 'ValueExpected');
breaks('[1 2]', 3, 'CommaExpected');
breaks('{"a" 1}', 5, 'ColonExpected');
breaks('{"a": }', 6, 'ValueExpected');
breaks('{a: 1}', 1, 'InvalidSymbol');
breaks('["a', 1, 'UnexpectedEndOfString');
breaks('["\\x"]', 1, 'InvalidEscapeCharacter');
breaks('[1] // no comments', 4, 'InvalidCommentToken');

test('a text nested deeper than the stack allows has an error at offset 0', (t) => {
	t.is(findSyntaxError('['.repeat(500_000)).offset, 0);
});

const isJson = (text: string): boolean => {
	try {
		JSON.parse(text);
		return true;
	} catch {
		return false;
	}
};

/** JSON with a few changed characters, so that most of it stays valid. */
const nearlyJson = fc.tuple(
	fc.json(),
	fc.array(fc.record({
		at: fc.nat(),
		drop: fc.nat(2),
		put: fc.constantFrom('', '"', '\\', ',', ':', '{', '}', '[', ']', '0', '-', 'e', '.', 'u', ' ', '\n', '\t', 'true'),
	}), {maxLength: 3}),
).map(([text, changes]) => changes.reduce((changed, {at, drop, put}) => {
	const place = at % (changed.length + 1);
	return changed.slice(0, place) + put + changed.slice(place + drop);
}, text));

test('the offset of an error is within the text', (t) => {
	fc.assert(fc.property(fc.oneof(nearlyJson, fc.string()), (text) => {
		const found = findSyntaxError(text);
		return isJson(text) || (found.offset >= 0 && found.offset <= text.length);
	}), {numRuns: often(4000, 20_000)});
	t.pass();
});

test('only the beginning of a long text is read, and an error after it has offset 0', (t) => {
	const long = 'a'.repeat(2 ** 20);
	t.deepEqual(findSyntaxError(`{"content": text, "other": "${long}"}`), {offset: 12, error: 'InvalidSymbol'});
	t.deepEqual(findSyntaxError(`{"content": "${long}" text}`), {offset: 0, error: 'Invalid'});
	t.deepEqual(findSyntaxError(`{"content": "${long}`), {offset: 0, error: 'Invalid'});
});
