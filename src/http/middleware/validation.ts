/**
 * Validates bodies and queries of requests against their schemas. Errors have the shape and wording of FastAPI and pydantic,
 * which clients of the interface parse. They are derived from the schema's failed keyword, so no route has its own error
 * texts.
 */
import type {Context} from 'koa';
import {Compile, Value, type Static, type TObject, type TSchema} from '../../platform/typebox.ts';
import {cutText} from '../../platform/plain-line.ts';
import {deepFreeze, memoizeWeak} from '../../platform/immutable.ts';
import {hintAt} from '../../platform/unknown-names.ts';
import type {InvalidField} from '../../wire/errors.ts';
import {RequestError} from '../request-error.ts';

/** Most errors in one response. */
export const maxErrors = 20;

/** Most characters shown of an invalid value, as JSON. */
const maxInputLength = 1000;

/** Most characters shown of a name that a client made up. */
const maxNameLength = 100;

/** Makes a 422 of these errors. The response stays small, whatever was sent. */
export const toRequestError = (errors: readonly InvalidField[]): RequestError =>
	new RequestError(422, errors.slice(0, maxErrors).map(error => ({
		...error, msg: cutText(error.msg, maxInputLength), input: shorten(error.input),
		loc: error.loc.map(step => typeof step === 'string' ? cutText(step, maxNameLength) : step),
	})));

/** Makes a 422 for a value that is wrong for a reason that no schema expresses. */
export const invalidValue = (loc: InvalidField['loc'], msg: string, input: unknown): RequestError =>
	toRequestError([{type: 'value_error', loc, msg, input}]);

/** The value itself, or the beginning of its JSON text if that is long. */
const shorten = (input: unknown): unknown => {
	const shown = typeof input === 'string' ? input : JSON.stringify(input) ?? '';
	return shown.length > maxInputLength ? cutText(shown, maxInputLength) : input;
};

type Explanation = Omit<InvalidField, 'loc' | 'input'>;

/** A schema's check, compiled at its first use: compiling all of them would take a twentieth of the startup time. */
export const compiled = memoizeWeak((schema: TSchema) => Compile(schema));

/**
 * Makes a validator for this schema, which returns the fields with their defaults. It throws a {@link RequestError} (422)
 * with all errors, in the order of the schema's fields.
 */
export const createValidator = <Fields extends TObject>(schema: Fields, part: 'body' | 'query') => {
	const order = Object.keys(schema.properties);
	const withDefault = Object.entries(schema.properties).flatMap(([name, field]) => 'default' in field ? [[name, field.default]] : []);
	const defaults = deepFreeze(Object.fromEntries(withDefault));

	return (fields: unknown): Required<Static<Fields>> => {
		const validator = compiled(schema);
		if (validator.Check(fields)) {
			return {...defaults, ...fields as object} as Required<Static<Fields>>;
		}

		// One error per place: an empty text is too short, and that it is also blank adds nothing.
		const byPlace = new Map<string, InvalidField>();
		for (const {keyword, params, instancePath, message} of validator.Errors(fields) as ValidationError[]) {
			const place = Value.Pointer.Indices(instancePath);
			for (const path of (params.requiredProperties ?? params.additionalProperties)?.map((field) => [...place, field]) ?? [place]) {
				const input = keyword === 'required' ? fields : valueAt(fields, path);
				const explained = explanations[keyword]?.({...params, input, path, schema}) ?? {type: 'value_error', msg: message};
				const error = {...explained, loc: [part, ...path], input};
				byPlace.set(path.join('/'), byPlace.get(path.join('/')) ?? error);
			}
		}

		throw toRequestError([...byPlace.values()].toSorted((a, b) => order.indexOf(String(a.loc[1])) - order.indexOf(String(b.loc[1]))));
	};
};

type ValidationError = {
	keyword: string;
	params: {
		requiredProperties?: string[];
		additionalProperties?: string[];
		type?: string | string[];
		allowedValues?: string[];
		limit?: number;
	};
	instancePath: string;
	message: string;
};

/** The query parameters; one that is repeated becomes a list. Koa's own parsing takes time quadratic in their number. */
export const queryOf = ({querystring}: Pick<Context, 'querystring'>): Record<string, string | string[]> => {
	const given = Map.groupBy(new URLSearchParams(querystring), ([name]) => name);
	return Object.fromEntries([...given].map(([name, pairs]) => {
		const values = pairs.map(([, value]) => value);
		return [name, values.length === 1 ? values[0]! : values];
	}));
};

/** Converts numeric parameters to numbers. One that is not a number stays a string, and fails its check. */
export const parseQuery = (
	{properties}: TObject, given: Readonly<Record<string, string | string[] | undefined>>,
): Record<string, unknown> =>
	({...given, ...Object.fromEntries(Object.entries(properties).flatMap(([name, field]) => {
		const value = given[name];
		const isNumeric = [(field as {type?: string | string[]}).type].flat().some(type => type === 'integer' || type === 'number');
		return value === undefined
			? []
			: [[name, isNumeric && typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value]];
	}))});

const valueAt = (fields: unknown, path: readonly string[]): unknown =>
	path.reduce((value, key) => (value as Record<string, unknown>)[key], fields);

const objectAt = (schema: TSchema, path: readonly string[]): TObject =>
	path.reduce((object, key) => object.properties[key] as TObject, schema as TObject);

type Failed = ValidationError['params'] & {input: unknown; path: readonly string[]; schema: TSchema};

const extraForbidden = ({path, schema}: Failed): Explanation => {
	const known = Object.keys(objectAt(schema, path.slice(0, -1)).properties);
	return {type: 'extra_forbidden', msg: `Extra inputs are not permitted${hintAt(path.at(-1)!, known)}`};
};

const tooShort = (): Explanation => ({type: 'string_too_short', msg: 'String should have at least 1 character', ctx: {min_length: 1}});

/** The error of a failed keyword, in pydantic's words. */
const explanations: Record<string, (failed: Failed) => Explanation> = {
	// Each extra field fails twice: its object has no such property, and the schema of the property is `false`.
	boolean: extraForbidden,
	additionalProperties: extraForbidden,
	required: () => ({type: 'missing', msg: 'Field required'}),
	// The one pattern of the interface means "not blank": a blank text counts as too short.
	pattern: tooShort,
	minLength: tooShort,
	maxLength: ({limit}) => ({type: 'string_too_long', msg: `String should have at most ${limit} characters`, ctx: {max_length: limit}}),
	type: ({type, input, path}) => path.length === 0
		? {type: 'model_attributes_type', msg: 'Input should be a valid dictionary or object to extract fields from'}
		: wrongType([type].flat()[0]!, input),
	enum({allowedValues}) {
		const expected = allowedValues!.map(value => `'${value}'`).join(' or ');
		return {type: 'enum', msg: `Input should be ${expected}`, ctx: {expected}};
	},
	minimum: ({limit}) => ({type: 'greater_than_equal', msg: `Input should be greater than or equal to ${limit}`, ctx: {ge: limit}}),
	maximum: ({limit}) => ({type: 'less_than_equal', msg: `Input should be less than or equal to ${limit}`, ctx: {le: limit}}),
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

	if (typeof input !== 'number') {
		return {type: 'int_type', msg: 'Input should be a valid integer'};
	}

	return Number.isFinite(input)
		? {type: 'int_from_float', msg: 'Input should be a valid integer, got a number with a fractional part'}
		: {type: 'finite_number', msg: 'Input should be a finite number'};
};
