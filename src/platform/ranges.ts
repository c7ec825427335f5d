/** The allowed values of options and settings. A range is stated once, for the library and for the command. */
import {ConfigurationError} from './errors.ts';
import {requireKnownNames, type Names} from './unknown-names.ts';

/** The allowed numbers, ends included except for `exclusiveMinimum`. A JSON schema can include such a range. */
export type Range = {readonly minimum?: number; readonly exclusiveMinimum?: number; readonly maximum?: number};

/** In seconds. A timer that is set to more than 2³¹ milliseconds fires at once. */
export const longestInterval = 2_000_000;

const seconds: Range = {exclusiveMinimum: 0, maximum: longestInterval};
const wait: Range = {minimum: 0, maximum: longestInterval};

const inMs = ({maximum, ...range}: Range): Range => ({...range, maximum: 1000 * maximum!});

export const ranges = {
	/** A number of things that must be at least one. */
	count: {minimum: 1},
	/** A number of things that may be none. */
	number: {minimum: 0},
	/** The smallest object in JSON has two. */
	bytes: {minimum: 2},
	workers: {minimum: 1, maximum: 64},
	/** The cache makes room for all entries at once. A million vectors take up to 4 GB. */
	cached: {minimum: 0, maximum: 1_000_000},
	share: {minimum: 0, maximum: 1},
	seconds,
	milliseconds: inMs(seconds),
	/** At most a century. */
	days: {exclusiveMinimum: 0, maximum: 36_525},
	/** A time that may be zero. */
	waitSeconds: wait,
	waitMilliseconds: inMs(wait),
} as const satisfies Record<string, Range>;

/** Whole numbers of a range; also Infinity, if it has no maximum. */
export const whole = (range: Range) => ({
	isAllowed: (value: unknown): boolean => 
		(Number.isInteger(value) && isWithin(value as number, range)) || (value === Infinity && range.maximum === undefined),
	expected: `a whole number${describeRange(range)}`,
});

/** All numbers of a range. */
export const within = (range: Range) => ({
	isAllowed: (value: unknown): boolean => typeof value === 'number' && isWithin(value, range),
	expected: `a number${describeRange(range)}`,
});

const isWithin = (value: number, {minimum = -Infinity, exclusiveMinimum = -Infinity, maximum = Infinity}: Range): boolean =>
	value >= minimum && value > exclusiveMinimum && value <= maximum;

/** @param sayLeast Words a minimum without a maximum. */
export const describeRange = ({minimum, exclusiveMinimum, maximum}: Range, sayLeast = (least: number) => ` from ${least} on`): string => {
	if (minimum !== undefined) {
		return maximum === undefined ? sayLeast(minimum) : ` from ${minimum} to ${maximum}`;
	}

	return `${exclusiveMinimum === undefined ? '' : ` above ${exclusiveMinimum}`}${maximum === undefined ? '' : `, at most ${maximum}`}`;
};

export type Check = {readonly isAllowed: (value: never) => boolean; readonly expected: string};

export const trueOrFalse: Check = {isAllowed: (value: unknown) => typeof value === 'boolean', expected: 'true or false'};

/** A check for each option of a type; the compiler finds missing ones. `true` for an option that is checked when it is used. */
export type Checks<Given> = Names<Given, Check | true>;

/** Whether it is a plain object, of any realm. A class instance has its names elsewhere: a journal as the options would be ignored. */
const isPlain = (given: object): boolean => {
	const prototype: unknown = Object.getPrototypeOf(given);
	return prototype === null || Object.getPrototypeOf(prototype) === null;
};

/** JavaScript callers may pass anything. @throws {ConfigurationError} naming the first option that is unknown or has a wrong value */
export const requireOptions = <Given extends object>(owner: string, given: Given, checks: Checks<Given>): void => {
	requireKnownNames(owner, given, checks);
	const names = Object.keys(checks);
	if (!isPlain(given) && !names.some(name => name in given)) {
		const meant = Object.entries<Check | true>(checks).find(([, check]) => check !== true && check.isAllowed(given as never));
		throw new ConfigurationError(`The options of ${owner.toLowerCase()} must be an object of names: write {${meant?.[0] ?? names[0]}: …}.`);
	}

	for (const [name, check] of Object.entries<Check | true>(checks)) {
		const value = (given as Record<string, unknown>)[name];
		if (check !== true && value !== undefined && !check.isAllowed(value as never)) {
			throw new ConfigurationError(`The option ${name} must be ${check.expected}; this one is ${describeValue(value)}.`);
		}
	}
};

const describeValue = (value: unknown): string => {
	if (typeof value === 'string') {
		return `“${value}”`;
	}

	return typeof value === 'object' && value !== null ? `an object with ${Object.keys(value).join(', ') || 'nothing'}` : String(value);
};
