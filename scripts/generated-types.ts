/**
 * Source text that is generated from the table of questions: the types of its schemas, without TypeBox and with comments
 * that editors show; the methods of the library and of the client; and the rows of the client.
 */
import type {TSchema} from '../src/platform/typebox.ts';
import type {AnyQuestion} from '../src/http/question.ts';
import {shapesOf, type Named} from '../src/wire/names.ts';
import {snakeName} from '../src/wire/rename.ts';

/** The part of JSON Schema that the table uses. */
type Schema = {
	'type'?: string | readonly string[];
	'title'?: string;
	'enum'?: readonly string[];
	'anyOf'?: readonly Schema[];
	'items'?: Schema;
	'properties'?: Record<string, Schema>;
	'required'?: readonly string[];
	'additionalProperties'?: Schema | boolean;
	'description'?: string;
	'default'?: unknown;
	'x-unit'?: string;
	'wireName'?: string;
};

const simple: Record<string, string> = {string: 'string', number: 'number', integer: 'number', boolean: 'boolean', null: 'null'};

/** What the library throws in place of an error response, by its status. */
const errors: Record<number, string> = {
	409: '{NoJournalError} without a journal',
	422: '{InputError} for an invalid request',
	429: '{BusyError} when too many requests are under way',
	503: '{UnavailableError} before the boot is done, and if the identity lacks what the call needs',
};

const comment = (lines: readonly string[], indent: string): string => lines.length === 1
	? `${indent}/** ${lines[0]} */\n`
	: `${indent}/**\n${lines.map(line => `${indent} *${line && ` ${line}`}\n`).join('')}${indent} */\n`;

/** Collects the types of schemas, and declares those that have a title. */
class Types {
	readonly #declared = new Map<string, string>();

	/** @param isAnswer Answers are readonly; in a request, optional fields may be left out or undefined. */
	typeOf(schema: Schema, isAnswer: boolean, indent = ''): string {
		const {type, title, enum: words, anyOf, items, properties, additionalProperties: values} = schema;
		if (title !== undefined && (properties || anyOf)) {
			this.#declare(title, schema, isAnswer);
			return title;
		}

		if (words) {
			return words.map(word => `'${word}'`).join(' | ');
		}

		if (anyOf) {
			return anyOf.map(each => this.typeOf(each, isAnswer, indent)).join(' | ');
		}

		if (Array.isArray(type)) {
			return type.map(each => simple[each] ?? this.typeOf({...schema, type: each}, isAnswer, indent)).join(' | ');
		}

		if (items) {
			const item = this.typeOf(items, isAnswer, indent);
			return /[|{]/.test(item) ? `ReadonlyArray<${item}>` : `readonly ${item}[]`;
		}

		if (properties) {
			return this.#record(schema, isAnswer, indent);
		}

		if (type === 'object') {
			return `{${isAnswer ? 'readonly ' : ''}[key: string]: ${typeof values === 'object' ? this.typeOf(values, isAnswer, indent) : 'unknown'}}`;
		}

		return simple[type as string] ?? 'unknown';
	}

	get text(): string {
		return [...this.#declared.values()].join('\n');
	}

	#declare(title: string, schema: Schema, isAnswer: boolean): void {
		const known = this.#declared.get(title);
		this.#declared.set(title, '');
		const {anyOf, description = `The fields of \`${title}\`.`} = schema;
		const type = anyOf ? anyOf.map(each => this.typeOf(each, isAnswer)).join(' | ') : this.#record(schema, isAnswer, '');
		const text = `${comment([description], '')}export type ${title} = ${type};\n`;
		// A type of both requests and answers is declared as in answers.
		if (known !== undefined && known !== '' && isAnswer && known.replaceAll(/readonly | \| undefined/g, '') !== text.replaceAll('readonly ', '')) {
			throw new Error(`Two schemas have the title ${title}.`);
		}

		this.#declared.set(title, known && !isAnswer ? known : text);
	}

	#record({properties = {}, required = []}: Schema, isAnswer: boolean, indent: string): string {
		const fields = Object.entries(properties).map(([name, field]) => {
			const unit = field['x-unit'];
			const isOptional = !required.includes(name);
			const standard = isAnswer || field.default == null || field.default === '' || typeof field.default === 'object' ? [] : ['', `@default ${typeof field.default === 'string' ? `'${field.default}'` : String(field.default)}`];
			return comment([`${field.description}${unit === undefined ? '' : ` In ${unit}.`}`, ...standard], `${indent}\t`)
				+ `${indent}\t${isAnswer ? 'readonly ' : ''}${name}${isOptional ? '?' : ''}: ${this.typeOf(field, isAnswer, `${indent}\t`)}${isOptional && !isAnswer ? ' | undefined' : ''};\n`;
		});
		return `{\n${fields.join('')}${indent}}`;
	}
}

const needsRequest = (ask: Schema): boolean => (ask.required?.length ?? 0) > 0;

const method = (row: AnyQuestion, types: Types, isOfClient: boolean): string => {
	const {name, summary, description, ask, answer, failures, isCacheable, throws = []} = row;
	const request = ask && `request${needsRequest(ask as Schema) ? '' : '?'}: ${types.typeOf(ask as Schema, false)}`;
	const result = types.typeOf(answer as Schema, true);
	const thrown = isOfClient ? ['{ClientError} for an error response'] : [...throws, ...failures.flatMap(status => errors[status] ? [errors[status]] : [])];
	const hasOptions = isOfClient || row.isCancellable || row.method === 'POST';
	return comment([`${summary}.`, '', description, '', ...thrown.map(each => `@throws ${each}`)], '\t')
		+ `\t${name}(${[...request ? [request] : [], ...hasOptions ? ['options?: CallOptions'] : []].join(', ')}): ${!isOfClient && isCacheable ? 'Eventually' : 'Promise'}<${result}>;\n`;
};

/** `src/generated/types.ts`. @param others Schemas of requests and answers that belong to no question. */
export const typesText = (questions: readonly AnyQuestion[], others: {asked: readonly TSchema[]; answered: readonly TSchema[]}): string => {
	const types = new Types();
	const ofIdentity = questions.filter(({isOfService}) => !isOfService).map(row => method(row, types, false));
	const ofClient = questions.map(row => method(row, types, true));
	for (const schema of others.asked) {
		types.typeOf(schema as Schema, false);
	}

	for (const schema of others.answered) {
		types.typeOf(schema as Schema, true);
	}

	return [
		'/** Written by `npm run generate` from the table of questions and its schemas. */',
		'import type {CallOptions, Eventually} from \'../platform/waiting.ts\';',
		'',
		types.text,
		'/** The questions to an identity, local or remote. */',
		`export interface Questions {\n${ofIdentity.join('\n')}}`,
		'',
		'/** The questions of a client to a service. */',
		`export interface Asking {\n${ofClient.join('\n')}}`,
		'',
	].join('\n');
};

/** The top-level names of a request whose names on the wire are not their snake_case forms. */
const renamesOf = ({properties = {}}: Schema): Record<string, string> =>
	Object.fromEntries(Object.entries(properties).flatMap(([name, {wireName}]) => wireName !== undefined && wireName !== snakeName(name) ? [[name, wireName]] : []));

/** `src/generated/asked-names.ts`. */
export const askedNamesText = (questions: readonly AnyQuestion[]): string => [
	'/** Written by `npm run generate` from the table of questions: the request fields of the library, by question. */',
	'export const askedNames: Readonly<Record<string, readonly string[]>> = {',
	...questions.flatMap(({name, ask, isOfService}) =>
		ask && !isOfService ? [`\t${name}: ${JSON.stringify(Object.keys(ask.properties))},`] : []),
	'};',
	'',
].join('\n');

/** Whether a schema allows any value. */
const isOpen = (schema: Named): boolean => !('type' in schema || 'anyOf' in schema);

/**
 * The dotted paths at which a schema has keys that are data: renaming without the schema must leave these alone. `*`
 * stands for the items of a list and the values of a map, `**` for everything below.
 */
export const dataPaths = (
	schema: object, path: readonly string[] = [],
): string[] => [...new Set(shapesOf(schema as Named).flatMap(shape => {
	const {type, properties, items, additionalProperties: values} = shape;
	if (isOpen(shape) || (typeof values === 'object' && isOpen(values))) {
		return [[...path, '**'].join('.')];
	}

	const isData = typeof values === 'object' || (type === 'object' && !properties)
		|| Object.keys(properties ?? {}).some(name => name.includes('_'));
	return [
		...(isData ? [path.join('.')] : []),
		...Object.entries(properties ?? {}).flatMap(([name, field]) => dataPaths(field, [...path, isData ? '*' : name])),
		...(items ? dataPaths(items, [...path, '*']) : []),
		...(typeof values === 'object' ? dataPaths(values, [...path, '*']) : []),
	];
}))];

/** `src/generated/rows.ts`. */
export const rowsText = (questions: ReadonlyArray<Pick<AnyQuestion, 'name' | 'repeat' | 'path' | 'ask' | 'answer' | 'isOfService'>>): string => [
	'/** Written by `npm run generate` from the table of questions: the part that a client needs. */',
	'import type {QuestionRow} from \'../wire/rename.ts\';',
	'',
	'export const rows: Readonly<Record<string, QuestionRow>> = {',
	...questions.map(({name, repeat, path, ask, answer, isOfService}) => {
		const renames = ask ? renamesOf(ask as Schema) : {};
		const marks = `${repeat === undefined ? '' : repeat === 'unsafe' ? 'u' : 'p'}${ask ? 'a' : ''}${isOfService ? 's' : ''}`;
		const row: unknown[] = [marks, path === `/${name}` ? '' : path, dataPaths(answer), ask ? dataPaths(ask) : [], renames];
		while (row.length > 1 && Object.keys(row.at(-1) as object).length === 0) {
			row.pop();
		}

		return `\t${name}: ${JSON.stringify(row)},`;
	}),
	'};',
	'',
].join('\n');
