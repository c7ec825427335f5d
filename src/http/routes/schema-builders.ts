/**
 * Builders for the schemas of the interface. They exist so that no schema can be written
 * without its description and an example, both of which end up in `GET /openapi.json`.
 */
import {Type, type Static, type TProperties, type TSchema} from 'typebox';

/** A default of an optional request field; the unit of a quantity; bounds that are part of the interface. */
type Options = {
	default?: unknown;
	unit?: string;
	minimum?: number;
	maximum?: number;
	minLength?: number;
	pattern?: string;
	minItems?: number;
	maxItems?: number;
	format?: string;
};

/** What every schema carries. JSON Schema has no keyword for a unit, so it goes under an extension. */
const note = (description: string, example: unknown, {unit, ...rules}: Options = {}) => ({
	...rules,
	...(unit === undefined ? {} : {'x-unit': unit}),
	description,
	examples: [example],
});

export const text = (description: string, example: string, options?: Options) =>
	Type.String(note(description, example, options));

export const number = (description: string, example: number, options?: Options) =>
	Type.Number(note(description, example, options));

export const integer = (description: string, example: number, options?: Options) =>
	Type.Integer(note(description, example, options));

export const flag = (description: string, example: boolean) =>
	Type.Boolean(note(description, example));

/** One of a few words. */
export const word = <const Words extends readonly string[]>(description: string, words: Words) =>
	Type.Unsafe<Words[number]>({type: 'string', enum: words, ...note(description, words[0])});

export const nullableText = (description: string, example: string, options?: Options) =>
	Type.Unsafe<string | null>({type: ['string', 'null'], ...note(description, example, options)});

export const nullableNumber = (description: string, example: number, options?: Options) =>
	Type.Unsafe<number | null>({type: ['number', 'null'], ...note(description, example, options)});

/** The given shape, or null. */
export const nullable = <Schema extends TSchema>(description: string, schema: Schema) =>
	Type.Unsafe<Static<Schema> | null>({anyOf: [schema, {type: 'null', ...note('Nothing.', null)}], ...note(description, exampleOf(schema))});

export const list = <Item extends TSchema>(description: string, item: Item, options?: Options) =>
	Type.Array(item, note(description, Array.from({length: options?.minItems ?? 1}, () => exampleOf(item)), options));

/** An object with any keys and values of one kind. */
export const map = <Value extends TSchema>(description: string, value: Value, example: Record<string, Static<Value>>, options?: Options) =>
	Type.Unsafe<Record<string, Static<Value>>>({type: 'object', additionalProperties: value, ...note(description, example, options)});

/** An object with known fields; its example is made of theirs. The title becomes its name in the OpenAPI document. */
export const shape = <Fields extends TProperties>(title: string, description: string, fields: Fields) =>
	Type.Object(fields, {
		title,
		...note(description, Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, exampleOf(field)]))),
	});

/** One of several shapes. */
export const either = <Shapes extends TSchema[]>(title: string, description: string, shapes: [...Shapes]) =>
	Type.Union(shapes, {title, ...note(description, exampleOf(shapes[0]!))});

const exampleOf = (schema: TSchema): unknown => (schema as {examples?: unknown[]}).examples?.[0];
