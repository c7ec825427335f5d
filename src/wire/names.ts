/**
 * Maps between the code's camelCase names and the interface's snake_case names. A schema tells names from keys that are
 * data. A mapper is compiled at its first use, and returns a value unchanged if there is nothing to rename. Otherwise the
 * result has only the fields of the schema.
 */
import {memoizeWeak} from '../platform/immutable.ts';
import {snakeName} from './rename.ts';

/** The keywords of JSON Schema that are used, and `wireName` from `builders.ts`. */
export type Named = {
	readonly type?: unknown;
	readonly properties?: Readonly<Record<string, Named>>;
	readonly additionalProperties?: Named | boolean;
	readonly items?: Named;
	readonly anyOf?: readonly Named[];
	readonly required?: readonly string[];
	readonly examples?: readonly unknown[];
	readonly default?: unknown;
	readonly wireName?: string;
};

type Fields = Readonly<Record<string, unknown>>;
type Mapper = (value: unknown) => unknown;

const wireNameOf = (name: string, field: Named): string => field.wireName ?? snakeName(name);

/** The alternatives of a schema; the schema itself if it has none. */
export const shapesOf = (schema: Named): Named[] => schema.anyOf?.flatMap(shapesOf) ?? [schema];

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

/** Compiles a mapper; null if there is nothing to rename. */
const compile = (schema: Named, isToWire: boolean): Mapper | null => {
	const shapes = shapesOf(schema);
	const item = shapes.map(({items}) => items && compile(items, isToWire)).find(Boolean);
	if (item) {
		return value => Array.isArray(value) ? value.map(item) : value;
	}

	const each = shapes.map(({additionalProperties: values}) => typeof values === 'object' ? compile(values, isToWire) : null).find(Boolean);
	if (each) {
		return value => isObject(value) ? Object.fromEntries(Object.entries(value).map(([key, part]) => [key, each(part)])) : value;
	}

	const fields = new Map(shapes.flatMap(({properties = {}}) => Object.entries(properties)).map(([name, field]) => {
		const [from, to] = isToWire ? [name, wireNameOf(name, field)] : [wireNameOf(name, field), name];
		return [from, {to, map: compile(field, isToWire)}];
	}));
	if (![...fields].some(([from, {to, map}]) => from !== to || map)) {
		return null;
	}

	return value => {
		if (!isObject(value)) {
			return value;
		}

		const renamed: Record<string, unknown> = {};
		for (const name of Object.keys(value)) {
			const field = fields.get(name);
			if (field) {
				renamed[field.to] = field.map ? field.map(value[name]) : value[name];
			}
		}

		return renamed;
	};
};

const same: Mapper = value => value;

const mapper = (isToWire: boolean): (schema: object) =>
	Mapper => memoizeWeak((schema: object) => compile(schema as Named, isToWire) ?? same);

/** Makes a mapper from the code's names to the wire's. */
export const toWire = mapper(true);

/** Makes a mapper from the wire's names to the code's. */
export const fromWire = mapper(false);

type Rename = <Schema extends object>(schema: Schema) => Schema;

/** The same schema with wire names, also in its examples and defaults. */
export const wireSchema: Rename = memoizeWeak(<Schema extends object>(schema: Schema): Schema => {
	const {properties, required, items, additionalProperties, anyOf, examples, wireName: _, ...rest} = schema as Named;
	const rename = toWire(schema);
	return {
		...rest,
		...(properties && {
			properties: Object.fromEntries(Object.entries(properties).map(([name, field]) => [wireNameOf(name, field), wireSchema(field)])),
		}),
		...(required && {required: required.map(name => wireNameOf(name, properties![name]!))}),
		...(items && {items: wireSchema(items)}),
		...(additionalProperties !== undefined && {
			additionalProperties: typeof additionalProperties === 'object' ? wireSchema(additionalProperties) : additionalProperties,
		}),
		...(anyOf && {anyOf: anyOf.map(each => wireSchema(each))}),
		...(examples && {examples: examples.map(rename)}),
		...('default' in rest && {default: rename(rest.default)}),
	} as Schema;
}) as never;
