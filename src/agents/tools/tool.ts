/** The declaration of a tool for a language model, and the builders of its schemas. */
import {Type, type Static, type TObject, type TSchema} from '../../platform/typebox.ts';
import type {Identity} from '../../identity/identity.ts';
import {maxNameLength} from '../../instruments/source-of.ts';
import {strangersWords} from '../../platform/plain-line.ts';
import {toWire, wireSchema} from '../../wire/names.ts';

/** A tool: its schemas, and the function that asks the identity. */
export type Tool<Input extends TObject = TObject, Output extends TObject = TObject> = {
	readonly name: string;
	readonly title: string;
	/** For the model that decides whether to call it. */
	readonly description: string;
	readonly input: Input;
	readonly output: Output;
	/** Whether it changes nothing. */
	readonly isReadOnly: boolean;
	/** Receives valid input, with defaults for absent fields. */
	readonly run: (identity: Identity, input: Static<Input>, signal?: AbortSignal) => Promise<Static<Output>>;
};

/**
 * Type-checks a declaration against its schemas, and gives the answer's fields their wire names. The result's type is general, so that
 * tools fit into one list.
 */
export const tool = <Input extends TObject, Output extends TObject>({output, run, ...declaration}: Tool<Input, Output>): Tool => ({
	...declaration,
	description: `${declaration.description} ${strangersWords}`,
	output: wireSchema(output),
	run: async (...given: Parameters<typeof run>) => toWire(output)(await run(...given)),
} as unknown as Tool);

/** An object without additional fields: a misspelt one is an error instead of being ignored. */
export const fields = <Fields extends Record<string, TSchema>>(properties: Fields) =>
	Type.Object(properties, {additionalProperties: false});

/** The given schema, or null. */
export const nullableField = <Schema extends TSchema>(schema: Schema, description: string) =>
	Type.Union([schema, Type.Null()], {description});

export const textField = (description: string) => Type.String({description});
export const numberField = (description: string) => Type.Number({description});
export const countField = (description: string) => Type.Integer({description});

/** The first field of every answer: a sentence that a model can repeat. */
export const summary = () => textField('The answer in a sentence or two.');
export const note = () => nullableField(Type.String(), 'A note for the reader, besides the numbers.');

/** A text, and who says it. */
export const spoken = {
	text: Type.String({minLength: 1, maxLength: 100_000, pattern: '\\S', description: 'The text, word for word.'}),
	source: Type.String({
		minLength: 1, maxLength: maxNameLength, pattern: '\\S',
		description: 'Who says it: always the same name for the same person, and “self” for your own words.',
	}),
	conversation: Type.Optional(Type.String({
		minLength: 1, maxLength: maxNameLength, pattern: '\\S',
		description: 'Name of the conversation: the same for all of its texts, including yours, and another for each other '
			+ 'conversation.',
	})),
};

export const direction = () =>
	Type.Optional(Type.String({
		minLength: 1, maxLength: 200, description: 'The key of a direction, such as relational.trust; who_am_i names some.',
	}));

export const since = (standard: string) =>
	Type.Optional(Type.Union(
		[Type.Integer(), Type.String({maxLength: 100})],
		{description: `Where it begins: the number of a state, a time in ISO 8601, or “beginning”. Default: ${standard}.`},
	));

/** Characters of a past text that are shown, to keep answers small. */
export const maxTextLength = 200;

/** Maximum entries of a list that no field of the input bounds. */
export const maxEntries = 10;

export const percent = (share: number): string => share > 0 && share < 0.005 ? 'less than 1 %' : `${Math.round(100 * share)} %`;
