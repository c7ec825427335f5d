/**
 * The values that machines hold as plain JSON, and back again bit for bit: vectors, tensors,
 * metrics, errors, handles, and the numbers that JSON does not know.
 *
 * What JSON has no word for is an object with the key `$`, which says what it is. A vector is
 * written once, however often it occurs, and comes back as one: states share their rows, and a
 * kernel recognises a row by its identity.
 */
import * as errors from '../errors.ts';
import {Metrics, type KeptMetrics} from '../semiosis/metrics.ts';
import {StateTensor, type Rows} from '../tensor/state-tensor.ts';
import type {Time} from '../clock.ts';
import {Handle, LiveHandle} from './handle.ts';

const kinds = {Float32Array, Float64Array, Uint8Array};

/** Numbers that may occur in a context. */
export type Vector = Float32Array | Float64Array | Uint8Array;

/** A vector as it is written: its bytes in base64, in the byte order of the host, which is little-endian wherever this runs. */
export type WrittenVector = {kind: keyof typeof kinds; base64: string};

/** How the classes of errors are found again, so that `instanceof` holds. */
const errorClasses = new Map<string, {prototype: Error}>(
	[...Object.values(errors), TypeError, RangeError, SyntaxError].filter(made => 'prototype' in made && made.prototype instanceof Error)
		.map(made => [made.name, made as {prototype: Error}]),
);

/** Of an error no more is written than this: another's may hold a request, with its key. */
const errorFields = ['code', 'retryable', 'retryAfter'];

const isPlain = (value: object): boolean => {
	const prototype: unknown = Object.getPrototypeOf(value);
	return prototype === null || Object.getPrototypeOf(prototype) === null;
};

/** Writes values, and gathers their vectors. */
export class ValueWriter {
	readonly vectors: WrittenVector[] = [];
	readonly #places = new Map<Vector, number>();

	/** @param path Where the value stands, for the message. @throws {TypeError} for what cannot be written. */
	write(value: unknown, path: string): unknown {
		switch (typeof value) {
			case 'string':
			case 'boolean': {
				return value;
			}

			case 'number': {
				return Number.isFinite(value) && !Object.is(value, -0) ? value : {$: 'number', value: Object.is(value, -0) ? '-0' : String(value)};
			}

			case 'undefined': {
				return {$: 'undefined'};
			}

			case 'object': {
				return value === null ? null : this.#writeObject(value, path);
			}

			default: {
				throw new TypeError(`A ${typeof value} cannot be written in a snapshot (at ${path}). Keep it in a LiveHandle, which is written as a name.`);
			}
		}
	}

	#writeObject(value: object, path: string): unknown {
		if (value instanceof Float32Array || value instanceof Float64Array || value instanceof Uint8Array) {
			return {$: 'vector', at: this.#place(value)};
		}

		if (Array.isArray(value)) {
			return Array.from(value, (item, i) => this.write(item, `${path}.${i}`));
		}

		if (value instanceof LiveHandle) {
			return this.#writeLive(value, path);
		}

		if (value instanceof Handle) {
			return {$: 'handle', summary: value.toJSON(), value: this.write(value.value, path)};
		}

		if (value instanceof StateTensor) {
			const {stateId, timestamp, rows} = value;
			return {$: 'state', stateId, timestamp, rows: this.write(rows, path)};
		}

		if (value instanceof Metrics) {
			return {$: 'metrics', kept: this.write(value.kept(), path)};
		}

		if (value instanceof Error) {
			return this.#writeError(value, path);
		}

		if (!isPlain(value)) {
			throw new TypeError(`An object of the class ${value.constructor.name} cannot be written in a snapshot (at ${path}). Keep it in a LiveHandle, which is written as a name.`);
		}

		const entries = Object.entries(value).map(([key, inner]): [string, unknown] => [key, this.write(inner, `${path}.${key}`)]);
		return Object.hasOwn(value, '$') ? {$: 'object', entries} : Object.fromEntries(entries);
	}

	#writeLive(handle: LiveHandle<unknown>, path: string): unknown {
		const {alive} = handle;
		const summary = handle.toJSON();
		if (typeof alive === 'string') {
			return {$: 'live', summary, name: alive};
		}

		// Where nothing lives, there is nothing to refer to.
		const parts = Object.entries(handle.value as object).map(([key, part]): [string, unknown] =>
			[key, part !== null && alive.includes(key) ? {$: 'alive', name: key} : this.write(part, `${path}.${key}`)]);
		return {$: 'partly live', summary, alive, value: Object.fromEntries(parts)};
	}

	#writeError(error: Error, path: string): unknown {
		const fields = errorFields.flatMap(field => {
			const value: unknown = (error as unknown as Record<string, unknown>)[field];
			return ['string', 'number', 'boolean'].includes(typeof value) ? [[field, this.write(value, path)] as const] : [];
		});
		const {name, message, cause} = error;
		return {
			$: 'error',
			name,
			message,
			fields: Object.fromEntries(fields),
			...(cause !== undefined && {cause: cause instanceof Error ? this.#writeError(cause, path) : errors.reasonOf(cause)}),
		};
	}

	#place(vector: Vector): number {
		let place = this.#places.get(vector);
		if (place === undefined) {
			place = this.vectors.push(writtenVector(vector)) - 1;
			this.#places.set(vector, place);
		}

		return place;
	}
}

const writtenVector = (vector: Vector): WrittenVector => {
	const bytes = new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
	let letters = '';
	for (const byte of bytes) {
		letters += String.fromCodePoint(byte);
	}

	const kind = (Object.keys(kinds) as Array<keyof typeof kinds>).find(name => vector instanceof kinds[name])!;
	return {kind, base64: btoa(letters)};
};

export const readVector = ({kind, base64}: WrittenVector): Vector =>
	new kinds[kind](Uint8Array.from(atob(base64), letter => letter.codePointAt(0)!).buffer);

/** What written values are read with. */
export type Reading = {
	vectors: readonly Vector[];
	/** What has this name. @throws where nothing has it. */
	live: (name: string) => unknown;
	/** Reads an object that is more than its entries; undefined for any other. */
	special?: (written: WrittenObject, reading: Reading) => object | undefined;
};

export type WrittenObject = Readonly<Record<string, unknown>>;

/** Reads what a {@link ValueWriter} wrote. */
export const readValue = (written: unknown, reading: Reading): unknown => {
	if (Array.isArray(written)) {
		return written.map(item => readValue(item, reading));
	}

	if (typeof written !== 'object' || written === null) {
		return written;
	}

	return Object.hasOwn(written, '$')
		? readTagged(written as Tagged, reading)
		: reading.special?.(written as WrittenObject, reading) ?? readEntries(Object.entries(written), reading);
};

const readEntries = (entries: ReadonlyArray<readonly [string, unknown]>, reading: Reading): object =>
	Object.fromEntries(entries.map(([key, value]) => [key, readValue(value, reading)]));

type Tagged =
	| {$: 'undefined'}
	| {$: 'number'; value: string}
	| {$: 'vector'; at: number}
	| {$: 'object'; entries: ReadonlyArray<[string, unknown]>}
	| {$: 'state'; stateId: number; timestamp: string; rows: unknown}
	| {$: 'metrics'; kept: unknown}
	| WrittenError
	| {$: 'handle'; summary: string; value: unknown}
	| {$: 'live'; summary: string; name: string}
	| {$: 'partly live'; summary: string; alive: string[]; value: unknown}
	| {$: 'alive'; name: string};

type WrittenError = {$: 'error'; name: string; message: string; fields: WrittenObject; cause?: unknown};

const readTagged = (written: Tagged, reading: Reading): unknown => {
	switch (written.$) {
		case 'undefined': {
			return undefined;
		}

		case 'number': {
			return Number(written.value);
		}

		case 'vector': {
			return reading.vectors[written.at];
		}

		case 'object': {
			return readEntries(written.entries, reading);
		}

		case 'state': {
			return new StateTensor(written.stateId, written.timestamp, readValue(written.rows, reading) as Rows);
		}

		case 'metrics': {
			return Metrics.revived(readValue(written.kept, reading) as KeptMetrics, reading.live('time') as Time);
		}

		case 'error': {
			return readError(written, reading);
		}

		case 'handle': {
			return new Handle(readValue(written.value, reading), written.summary);
		}

		case 'live': {
			return new LiveHandle(reading.live(written.name), written.summary, written.name);
		}

		case 'partly live': {
			return new LiveHandle(readValue(written.value, reading), written.summary, written.alive);
		}

		case 'alive': {
			return reading.live(written.name);
		}
	}
};

/** An error of a class that is not known here is a plain one with its name. Where it was thrown is not told. */
const readError = ({name, message, fields, cause}: WrittenError, reading: Reading): Error => {
	const error = new Error(message, cause === undefined ? undefined : {cause: readValue(cause, reading)});
	error.stack = `${name}: ${message}`;
	Object.setPrototypeOf(error, errorClasses.get(name)?.prototype ?? Error.prototype);
	return Object.assign(error, readValue(fields, reading), error.name !== name && {name});
};
