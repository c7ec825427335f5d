/** Checks the parts that an application supplies, and what their functions make: JavaScript callers may pass anything. */
import type {Encoder} from '../embedding/encoder.ts';
import {journalMethods} from '../journal/journal.ts';
import {width} from '../kernel/dimensions.ts';
import {toUnitLength} from '../kernel/normalise.ts';
import {StateTensor} from '../kernel/state-tensor.ts';
import {memoizeWeak} from '../platform/immutable.ts';
import {trueOrFalse, type Check, type Checks} from '../platform/ranges.ts';
import type {Authority} from '../semiosis/fixation.ts';
import type {Direction} from '../semiosis/profile.ts';
import type {Person} from '../semiosis/reference.ts';
import type {Themes} from '../sources/themes.ts';
import type {ProcessOptions} from './process-parts.ts';

export const has = (...methods: string[]) => (value: unknown): boolean =>
	typeof value === 'object' && value !== null && methods.every(method => typeof (value as Record<string, unknown>)[method] === 'function');

export const isFunction = (value: unknown): boolean => typeof value === 'function';

const source = ({isAllowed, expected}: Check): Check => ({
	isAllowed: value => isFunction(value) || isAllowed(value), expected: `${expected}, or a function that makes one`,
});

const nullable = ({isAllowed, expected}: Check): Check => ({
	isAllowed: value => value === null || isAllowed(value), expected: `${expected}, or null`,
});

export const functionCheck: Check = {isAllowed: isFunction, expected: 'a function'};

export const isEncoder = (value: Partial<Encoder> | null): boolean => typeof value?.passport?.model === 'string' && isFunction(value.embed);

export const isJournal = has(...journalMethods);

export const partChecks: Checks<ProcessOptions> = {
	encoder: source({isAllowed: isEncoder, expected: 'an encoder, with a passport that has a model, and embed'}),
	themes: source({
		isAllowed: (value: Partial<Themes> | null) => Array.isArray(value?.rumination) && Array.isArray(value.corpus),
		expected: 'themes, with the lists rumination and corpus',
	}),
	journal: nullable(source({isAllowed: isJournal, expected: 'a journal, such as one of createSqliteJournal'})),
	directions: source({isAllowed: Array.isArray, expected: 'a list of directions'}),
	initialState: nullable(
		source({isAllowed: (value: Partial<StateTensor> | null) => Array.isArray(value?.rows), expected: 'a StateTensor'}),
	),
	requireInitialState: trueOrFalse,
	person: source({
		isAllowed: (value: Partial<Person> | null) => value?.words !== undefined && value.profile !== undefined,
		expected: 'a person, with words and profile',
	}),
	calibrate: trueOrFalse,
	authority: source({
		isAllowed: (value: Partial<Authority> | null) => Array.isArray(value?.articles) && Array.isArray(value.anchors),
		expected: 'an authority, with the lists articles and anchors',
	}),
	corroborate: nullable(functionCheck),
	translator: nullable(source({isAllowed: has('translate'), expected: 'a translator, with translate'})),
	guard: {isAllowed: (value: unknown) => typeof value === 'object' && value !== null, expected: 'an object such as {named: true}'},
	loop: {isAllowed: (value: unknown) => typeof value === 'object' && value !== null, expected: 'an object such as defaultLoop'},
	kernel: {
		isAllowed: has('compare', 'move', 'drift', 'project', 'similarity', 'dots', 'cosines', 'nearest', 'adjust'),
		expected: 'a kernel, such as one of selectKernel',
	},
	questions: {isAllowed: has('run'), expected: 'places for questions, such as new Questions()'},
	time: {isAllowed: has('now', 'elapsed'), expected: 'clocks, with now and elapsed'},
	random: functionCheck,
	newId: functionCheck,
};

/** @throws {TypeError} for a value that is not a state, {RangeError} for a row that is not finite or is zero */
export const requireState = ({stateId, timestamp, rows}: StateTensor): void => {
	if (!(Number.isSafeInteger(stateId) && typeof timestamp === 'string' && Array.isArray(rows))) {
		throw new TypeError('it is not a StateTensor, with a stateId, a timestamp and rows.');
	}

	new StateTensor(stateId, timestamp, rows).rows.forEach(row => toUnitLength(new Float32Array(row)));
};

/** Describes the first unusable direction; null if there is none. Memoized: it takes 5 ms, and many identities share one list. */
const findFault = memoizeWeak((directions: readonly Direction[]) => {
	for (const direction of directions as ReadonlyArray<Direction | null>) {
		const {category, name, vector} = direction ?? {};
		if (!(typeof category === 'string' && typeof name === 'string')) {
			return 'each direction needs a category and a name, which are texts';
		}

		if (vector && !(typeof vector === 'object' && vector.length === width && vector.every(Number.isFinite))) {
			return `the vector of ${category}.${name} is not ${width} finite floats`;
		}
	}

	return null;
});

/** @throws {TypeError} for a value that is not a list, {RangeError} naming the first unusable direction */
export const requireDirections = (directions: readonly Direction[]): void => {
	if (!Array.isArray(directions)) {
		throw new TypeError('it is not a list of directions');
	}

	const fault = findFault(directions);
	if (fault !== null) {
		throw new RangeError(fault);
	}
};
