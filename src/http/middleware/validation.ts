/**
 * Request bodies against their schemas. Errors are told in the shape and the words of FastAPI
 * and pydantic, which clients of the interface already parse; they are derived from the failed
 * keyword of the schema, so that no route explains its own.
 */
import type {Static, TObject} from 'typebox';
import {Compile} from 'typebox/compile';
import {Refusal} from '../request-error.ts';

type InvalidField = {
	type: string;
	/** `body`, then the field, or the offset of malformed JSON. */
	loc: (string | number)[];
	msg: string;
	/** What was found there. */
	input: unknown;
	ctx?: Record<string, unknown>;
};

/** More errors than this are not listed. */
export const maxFaults = 20;

/** What was found is shown up to this length, in characters of JSON. */
const maxInput = 1000;

/** The request is not what the route takes. However much is wrong with it, the answer stays small. */
export const invalid = (details: readonly InvalidField[]): Refusal =>
	new Refusal(422, details.slice(0, maxFaults).map(detail => ({...detail, input: shortened(detail.input)})));

/** The value; of a long one the beginning, as text. */
const shortened = (input: unknown): unknown => {
	const shown = typeof input === 'string' ? input : JSON.stringify(input) ?? '';
	return shown.length > maxInput ? `${shown.slice(0, maxInput).toWellFormed()}…` : input;
};

type Explanation = Omit<InvalidField, 'loc' | 'input'>;

/**
 * Returns a check for bodies of this schema, which gives back the body with defaults filled in.
 * The check throws a {@link Refusal} (422) with every error, in the order of the schema's fields.
 */
export const bodyCheck = <Body extends TObject>(schema: Body) => {
	const validator = Compile(schema);
	const order = Object.keys(schema.properties);

	return (body: unknown): Required<Static<Body>> => {
		if (validator.Check(body)) {
			return validator.Default(body) as Required<Static<Body>>;
		}

		// One error for each place: an empty text is too short, and its being blank adds nothing.
		const byPlace = new Map<string, InvalidField>();
		for (const {keyword, params, instancePath, message} of validator.Errors(body) as Failure[]) {
			const place = instancePath.split('/').slice(1);
			for (const path of params.requiredProperties?.map((field) => [...place, field]) ?? [place]) {
				const input = keyword === 'required' ? body : valueAt(body, path);
				const found = {...explain(keyword, params, input, path, message), loc: ['body', ...path], input};
				byPlace.set(path.join('/'), byPlace.get(path.join('/')) ?? found);
			}
		}

		throw invalid([...byPlace.values()].toSorted((a, b) => order.indexOf(String(a.loc[1])) - order.indexOf(String(b.loc[1]))));
	};
};

type Failure = {
	keyword: string;
	params: {requiredProperties?: string[]; type?: string | string[]};
	instancePath: string;
	message: string;
};

const valueAt = (body: unknown, path: readonly string[]): unknown =>
	path.reduce((value, key) => (value as Record<string, unknown>)[key], body);

/** A failed keyword in pydantic's words. */
const explain = (keyword: string, {type}: Failure['params'], input: unknown, path: readonly string[], message: string): Explanation => {
	switch (keyword) {
		case 'required': {
			return {type: 'missing', msg: 'Field required'};
		}

		// The one pattern of the interface says "not blank": what is left of a blank text is too short.
		case 'pattern':
		case 'minLength': {
			return {type: 'string_too_short', msg: 'String should have at least 1 character', ctx: {min_length: 1}};
		}

		case 'type': {
			return path.length === 0
				? {type: 'model_attributes_type', msg: 'Input should be a valid dictionary or object to extract fields from'}
				: wrongType([type].flat()[0]!, input);
		}

		default: {
			return {type: 'value_error', msg: message};
		}
	}
};

const wrongType = (wanted: string, input: unknown): Explanation => {
	if (wanted === 'object') {
		return {type: 'dict_type', msg: 'Input should be a valid dictionary'};
	}

	if (wanted !== 'integer') {
		return {type: `${wanted}_type`, msg: `Input should be a valid ${wanted}`};
	}

	if (typeof input === 'string') {
		return {type: 'int_parsing', msg: 'Input should be a valid integer, unable to parse string as an integer'};
	}

	if (typeof input === 'number') {
		return Number.isFinite(input)
			? {type: 'int_from_float', msg: 'Input should be a valid integer, got a number with a fractional part'}
			: {type: 'finite_number', msg: 'Input should be a finite number'};
	}

	return {type: 'int_type', msg: 'Input should be a valid integer'};
};
