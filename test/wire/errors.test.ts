import test from 'ava';
import * as platform from '../../src/platform/errors.ts';
import {conflicts, errorFields, errorOf, fieldsOfStatus, statusOf} from '../../src/wire/errors.ts';

const classes = Object.values(platform).filter(value => Object.prototype.isPrototypeOf.call(platform.ProcessualError, value)
	|| value === platform.ProcessualError) as
	Array<new (message: string) => platform.ProcessualError>;

test('every error that is raised on purpose has the same class again behind the wire', t => {
	t.true(classes.length >= 17);
	for (const ErrorClass of classes) {
		const error = new ErrorClass('What happened.');
		const again = errorOf({message: error.message, ...errorFields(error)});
		t.is(again.constructor, ErrorClass, error.name);
		t.like(again, {message: error.message, code: error.code, retryable: error.retryable});
	}
});

test('a code without a word of retryable has that of its class', t => {
	t.like(errorOf({message: '', code: 'moved'}), {retryable: true});
	t.like(errorOf({message: '', code: 'store'}), {retryable: false});
});

test('what was not raised on purpose has status 500 and no code', t => {
	t.is(statusOf(new TypeError('a defect')), 500);
	t.deepEqual(errorFields(new TypeError('a defect')), {});
	t.false(errorOf({message: 'a defect'}) instanceof platform.ProcessualError);
});

test('a code of a later version is an error that was raised on purpose', t => {
	t.is(errorOf({message: '', code: 'of_tomorrow'}).constructor, platform.ProcessualError);
});

test('a response without a code has that of its status', t => {
	t.deepEqual([401, 413, 422, 429, 500, 502].map(fieldsOfStatus), [
		{code: 'configuration'}, {code: 'input'}, {code: 'input'}, {code: 'busy'}, {}, {code: 'unavailable', retryable: true},
	]);
});

test('each code with status 409 says what it means', t => {
	const codes = classes.map(ErrorClass => new ErrorClass('')).filter(error => statusOf(error) === 409).map(({code}) => `(${code})`);
	t.deepEqual(conflicts().map(text => text.split(' ').at(-1)!).toSorted(), codes.toSorted());
});
