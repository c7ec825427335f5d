import test from 'ava';
import * as platform from '../../src/platform/errors.ts';
import {conflicts, errorFields, errorOf, fieldsOfStatus, statusOf} from '../../src/wire/errors.ts';

const classes = Object.values(platform).filter(value => Object.prototype.isPrototypeOf.call(platform.ProcessualError, value)
	|| value === platform.ProcessualError) as
	Array<new (message: string) => platform.ProcessualError>;

test('every error of this package has the same class after transport', t => {
	t.true(classes.length >= 17);
	for (const ErrorClass of classes) {
		const error = new ErrorClass('What happened.');
		const received = errorOf({message: error.message, ...errorFields(error)});
		t.is(received.constructor, ErrorClass, error.name);
		t.like(received, {message: error.message, code: error.code, retryable: error.retryable});
	}
});

test('an error without retryable has that of its class', t => {
	t.like(errorOf({message: '', code: 'moved'}), {retryable: true});
	t.like(errorOf({message: '', code: 'store'}), {retryable: false});
});

test('any other error has status 500 and no code', t => {
	t.is(statusOf(new TypeError('a defect')), 500);
	t.deepEqual(errorFields(new TypeError('a defect')), {});
	t.false(errorOf({message: 'a defect'}) instanceof platform.ProcessualError);
});

test('an unknown code becomes a ProcessualError', t => {
	t.is(errorOf({message: '', code: 'of_tomorrow'}).constructor, platform.ProcessualError);
});

test('a response without a code has the fields of its status', t => {
	t.deepEqual([401, 413, 422, 429, 500, 502].map(fieldsOfStatus), [
		{code: 'configuration'}, {code: 'input'}, {code: 'input'}, {code: 'busy'}, {}, {code: 'unavailable', retryable: true},
	]);
});

test('each code with status 409 has a description', t => {
	const codes = classes.map(ErrorClass => new ErrorClass('')).filter(error => statusOf(error) === 409).map(({code}) => `(${code})`);
	t.deepEqual(conflicts().map(text => text.split(' ').at(-1)!).toSorted(), codes.toSorted());
});
