/**
 * The golden cases of the instruments: makes their vectors, and compares a result with what is
 * expected (`test/golden/instruments/README.md`).
 */
import type {ExecutionContext} from 'ava';
import {mulberry32} from '../actors/fixtures.ts';
import {read} from './read.ts';

/** A vector by its description: seeded, mixed of others, or its numbers. */
export type VectorSpec = {seed: number; width?: number} | {mix: Array<[VectorSpec, number]>} | number[];

type Tolerance = {absolute: number; relative: number};

/** One of `instruments/cases.json`. What it gives in and expects differs by kind. */
export type InstrumentCase<Input, Expected = Record<string, unknown>> = {
	id: string;
	kind: string;
	note: string;
	input: Input;
	expected: Expected;
	/** By the name of a field; `*` stands for all others. */
	tolerance: Record<string, Tolerance>;
};

const {cases} = read<{cases: Array<InstrumentCase<unknown>>}>('instruments/cases.json');

/** The cases of a kind, at least one. */
export const casesOf = <Input, Expected = Record<string, unknown>>(kind: string): Array<InstrumentCase<Input, Expected>> => {
	const found = cases.filter(one => one.kind === kind);
	if (found.length === 0) {
		throw new RangeError(`There is no golden case of the kind “${kind}”.`);
	}

	return found as Array<InstrumentCase<Input, Expected>>;
};

/** The vector that a case describes: float32, 1024 wide unless it lists numbers. */
export const vectorFrom = (spec: VectorSpec): Float32Array => {
	if (Array.isArray(spec)) {
		return Float32Array.from(spec);
	}

	const values = new Float64Array(1024);
	if ('mix' in spec) {
		for (const [part, weight] of spec.mix) {
			vectorFrom(part).forEach((value, i) => {
				values[i]! += weight * value;
			});
		}
	} else {
		const random = mulberry32(spec.seed);
		for (let i = 0; i < (spec.width ?? 1024); i++) {
			values[i] = random() - 0.5;
		}
	}

	let squares = 0;
	for (const value of values) {
		squares += value * value;
	}

	const norm = Math.sqrt(squares);
	return Float32Array.from(values, value => value / norm);
};

/** Fails for every value of a case that lies outside its tolerance. Of the result, only what the case expects is looked at. */
export const matchesCase = (t: ExecutionContext, {id, expected, tolerance}: InstrumentCase<unknown, object>, got: object): void => {
	const compare = (wanted: unknown, found: unknown, path: readonly string[]): void => {
		const place = [id, ...path].join('.');
		if (typeof wanted === 'number' && path.at(-1) === 'worst_component') {
			t.true(Math.abs(found as number) <= 1e-7, `${place} is ${String(found)}, over 1e-7`);
		} else if (typeof wanted === 'number') {
			const {absolute, relative} = toleranceOf(tolerance, path);
			const limit = absolute + relative * Math.abs(wanted);
			t.true(Math.abs((found as number) - wanted) <= limit, `${place} is ${String(found)}, not ${wanted} ± ${limit}`);
		} else if (typeof wanted === 'object' && wanted !== null) {
			if (Array.isArray(wanted)) {
				t.is((found as ArrayLike<unknown> | undefined)?.length, wanted.length, `${place}: the length`);
			}

			for (const [key, value] of Object.entries(wanted)) {
				compare(value, (found as Record<string, unknown> | undefined)?.[key], [...path, key]);
			}
		} else {
			t.is(found, wanted, place);
		}
	};

	compare(expected, got, []);
};

/** The innermost name with a tolerance decides; a value without one must be equal. */
const toleranceOf = (tolerance: Record<string, Tolerance>, path: readonly string[]): Tolerance =>
	tolerance[path.findLast(name => name in tolerance) ?? '*'] ?? {absolute: 0, relative: 0};
