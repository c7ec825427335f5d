/**
 * Builders for the schemas of the interface. Each takes a description and an example, so that `GET /openapi.json` contains
 * both for every field.
 */
import {Type, type Static, type TObject, type TProperties, type TSchema} from '../platform/typebox.ts';

/** The default of an optional request field; the unit of a quantity; bounds that are part of the interface. */
type Options = {
	default?: unknown;
	unit?: string;
	minimum?: number;
	maximum?: number;
	minLength?: number;
	maxLength?: number;
	pattern?: string;
	minItems?: number;
	maxItems?: number;
	format?: string;
	/** The wire name, if it is not the name in snake_case. */
	wireName?: string;
};

/** The keywords of every schema. JSON Schema has none for a unit, so `x-unit` extends it. */
const annotate = (description: string, example: unknown, {unit, ...rules}: Options = {}) => ({
	...rules,
	...(unit === undefined ? {} : {'x-unit': unit}),
	description,
	examples: [example],
});

export const text = (description: string, example: string, options?: Options) =>
	Type.String(annotate(description, example, options));

export const number = (description: string, example: number, options?: Options) =>
	Type.Number(annotate(description, example, options));

export const integer = (description: string, example: number, options?: Options) =>
	Type.Integer(annotate(description, example, options));

export const flag = (description: string, example: boolean) =>
	Type.Boolean(annotate(description, example));

/** An enumeration of words. */
export const word = <const Words extends readonly string[]>(description: string, words: Words, options?: Options) =>
	Type.Unsafe<Words[number]>({type: 'string', enum: words, ...annotate(description, words[0], options)});

export const nullableText = (description: string, example: string, options?: Options) =>
	Type.Unsafe<string | null>({type: ['string', 'null'], ...annotate(description, example, options)});

export const nullableNumber = (description: string, example: number, options?: Options) =>
	Type.Unsafe<number | null>({type: ['number', 'null'], ...annotate(description, example, options)});

/** The given schema, or null. */
export const nullable = <Schema extends TSchema>(description: string, schema: Schema) =>
	Type.Unsafe<Static<Schema> | null>({
		anyOf: [schema, {type: 'null', ...annotate('No value.', null)}], ...annotate(description, exampleOf(schema)),
	});

export const list = <Item extends TSchema>(description: string, item: Item, options?: Options) =>
	Type.Array(item, annotate(description, Array.from({length: options?.minItems ?? 1}, () => exampleOf(item)), options));

/** An object with arbitrary keys, and values of one kind. */
export const map = <Value extends TSchema>(description: string, value: Value, example: Record<string, Static<Value>>, options?: Options) =>
	Type.Unsafe<Record<string, Static<Value>>>({type: 'object', additionalProperties: value, ...annotate(description, example, options)});

/** An object with known fields, and an example composed of theirs. The title is its name in the OpenAPI document. */
export const shape = <Fields extends TProperties>(title: string, description: string, fields: Fields) =>
	Type.Object(fields, {
		title,
		...annotate(description, Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, exampleOf(field)]))),
	});

/** Makes unknown fields of a body an error. Only endpoints of the original interface accept them. */
export const onlyThese = <Body extends TObject>(body: Body): Body => ({...body, additionalProperties: false});

/** One of several shapes. */
export const either = <Shapes extends TSchema[]>(title: string, description: string, shapes: [...Shapes]) =>
	Type.Union(shapes, {title, ...annotate(description, exampleOf(shapes[0]!))});

const exampleOf = (schema: TSchema): unknown => (schema as {examples?: unknown[]}).examples?.[0];

/** Fields that several responses share. */
export const stateId = () => integer('Number of the current state.', 42);
export const timestamp = (description: string) => text(description, '2026-01-31T12:00:00.000Z', {format: 'date-time'});

/** A moment of the past, as a field of a request. @param standard The default. */
export const moment = (description: string, standard: 'beginning' | 'present') => Type.Unsafe<number | string>({
	type: ['integer', 'string'],
	description: `${description} The id of a state, a time in ISO 8601, beginning or present. A reset reuses ids: the newest state with `
		+ 'an id is meant.',
	examples: [standard],
	default: standard,
});

/** A moment of the past, as a field of an answer. */
export const PastState = shape('PastState', 'A state of the past.', {
	stateId: integer('Its number.', 42),
	timestamp: timestamp('When it was made; ISO 8601, UTC.'),
});
