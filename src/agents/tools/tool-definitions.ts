/** The tools in the formats of the language models' APIs. */
import {ConfigurationError} from '../../platform/errors.ts';
import {tools} from './tools.ts';

/** A JSON Schema of an object. */
export type ToolSchema = {readonly type: 'object'; readonly [keyword: string]: unknown};

type Named = {readonly name: string; readonly description: string};

/** The type of a definition in each format. */
export type ToolDefinitions = {
	/** Anthropic's Messages API. */
	anthropic: Named & {readonly input_schema: ToolSchema};
	/** OpenAI's Responses API. */
	openai: Named & {readonly type: 'function'; readonly parameters: ToolSchema; readonly strict: false};
	/** OpenAI's Chat Completions API, which many servers offer. */
	'openai-chat': {readonly type: 'function'; readonly function: Named & {readonly parameters: ToolSchema}};
};

/** The name of a format. */
export type ToolFormat = keyof ToolDefinitions;

const formats: {[Format in ToolFormat]: (name: string, description: string, schema: ToolSchema) => ToolDefinitions[Format]} = {
	anthropic: (name, description, schema) => ({name, description, input_schema: schema}),
	// Strict mode does not allow optional fields.
	openai: (name, description, parameters) => ({type: 'function', name, description, parameters, strict: false}),
	'openai-chat': (name, description, parameters) => ({type: 'function', function: {name, description, parameters}}),
};

export const toolFormats = Object.keys(formats) as readonly ToolFormat[];

/** A schema as plain JSON. */
export const toJsonSchema = (schema: object): ToolSchema => JSON.parse(JSON.stringify(schema)) as ToolSchema;

/**
 * The definitions of the tools, ready for the `tools` of a request. {@link callTool} answers the calls.
 *
 * @throws {ConfigurationError} for an unknown format
 *
 * @example
 * ```ts
 * import {toolDefinitions} from 'processual-state/tools';
 *
 * const body = {model: 'a-model', input: 'Who are you?', tools: toolDefinitions('openai')};
 * ```
 */
export const toolDefinitions = <Format extends ToolFormat>(format: Format): Array<ToolDefinitions[Format]> => {
	const toDefinition = formats[format];
	if (!Object.hasOwn(formats, format)) {
		throw new ConfigurationError(`The formats of tools are ${toolFormats.join(', ')}, not “${String(format)}”.`);
	}

	return tools.map(({name, description, input}) => toDefinition(name, description, toJsonSchema(input)));
};
