/** Checks the parts of a process: JavaScript callers may pass anything. */
import type {Encoder} from '../embedding/encoder.ts';
import {journalMethods} from '../journal/journal.ts';
import type {StateTensor} from '../kernel/state-tensor.ts';
import {trueOrFalse, type Check, type Checks} from '../platform/ranges.ts';
import type {Authority} from '../semiosis/fixation.ts';
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

export const partChecks: Checks<ProcessOptions> = {
	encoder: source({
		isAllowed: (value: Partial<Encoder> | null) => typeof value?.passport?.model === 'string' && isFunction(value.embed),
		expected: 'an encoder, with a passport that has a model, and embed',
	}),
	themes: source({
		isAllowed: (value: Partial<Themes> | null) => Array.isArray(value?.rumination) && Array.isArray(value.corpus),
		expected: 'themes, with the lists rumination and corpus',
	}),
	journal: nullable(source({isAllowed: has(...journalMethods), expected: 'a journal, such as one of createSqliteJournal'})),
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
