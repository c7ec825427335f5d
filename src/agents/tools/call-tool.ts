/** Calls a tool by name, with whatever arguments a model gave. */
import {Value} from '../../platform/typebox.ts';
import {describeFaults} from '../../platform/describe-faults.ts';
import {ProcessualError} from '../../platform/errors.ts';
import type {Identity} from '../../identity/identity.ts';
import {cutText} from '../../platform/plain-line.ts';
import type {CallOptions} from '../../platform/waiting.ts';
import {fitAnswer} from '../../wire/fit-answer.ts';
import {redactedMessage} from '../../wire/errors.ts';
import {tools} from './tools.ts';

/** The result of a call, for the model. */
export type ToolAnswer =
	/** The answer, and the same as JSON in `text`. */
	| {readonly isError: false; readonly text: string; readonly answer: Readonly<Record<string, unknown>>}
	/** `text` says in a sentence what went wrong and what to do. */
	| {readonly isError: true; readonly text: string};

/** The limit for an answer plus its JSON in a text, since MCP sends both. It protects a model's context from long texts. */
const maxBytes = 16_000;

// Browsers have no Buffer.
const bytesOf = (text: string): number => new TextEncoder().encode(text).length;

const isSmall = (json: string): boolean => bytesOf(json) + bytesOf(JSON.stringify(json)) <= maxBytes;

const cutNote = 'This answer is cut: it would be over 16 KiB. Ask for fewer points or parts to see them whole.';

/** Cuts texts first, then drops the second half of the longest list until the answer fits. */
const makeSmall = (answer: Readonly<Record<string, unknown>>): string => {
	const whole = JSON.stringify(answer);
	if (isSmall(whole)) {
		return whole;
	}

	const isSmallWithNote = (json: string): boolean => isSmall(json + cutNote);
	let cut = answer;
	let json = fitAnswer(cut, isSmallWithNote);
	while (!isSmallWithNote(json)) {
		const [name, list] = Object.entries(cut)
			.filter((entry): entry is [string, unknown[]] => Array.isArray(entry[1]))
			.toSorted(([, a], [, b]) => b.length - a.length)[0]!;
		cut = {...cut, [name]: list.slice(0, list.length >> 1)};
		json = fitAnswer(cut, isSmallWithNote);
	}

	const {summary, ...rest} = JSON.parse(json) as Record<string, unknown>;
	return JSON.stringify({summary: `${String(summary)} ${cutNote}`, ...rest});
};

/** Rounds to four significant digits: more do not help a model. */
const shorten = (_: string, value: unknown): unknown =>
	typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(4)) : value;

const fail = (text: string): ToolAnswer => ({isError: true, text});

/**
 * Calls a tool. Input that the model can correct, and errors of the identity, are answers with `isError`; for invalid
 * input, the text names the field. Answers are at most a few kilobytes.
 *
 * @param input The arguments as the model gave them, parsed. A field that is null counts as absent.
 * @throws the signal's reason, and any unexpected error
 *
 * @example
 * ```ts
 * import {openIdentity} from 'processual-state';
 * import {callTool, toolDefinitions} from 'processual-state/tools';
 *
 * await using ada = await openIdentity();
 * const tools = toolDefinitions('anthropic');
 * // … a model answers with a call of a tool:
 * const {text, isError} = await callTool(ada, 'say', {text: 'The sea is quiet today.', source: 'Ben'});
 * ```
 */
export const callTool = async (identity: Identity, name: string, input: unknown, {signal}: CallOptions = {}): Promise<ToolAnswer> => {
	const tool = tools.find(each => each.name === name);
	if (!tool) {
		return fail(`There is no tool ${cutText(name, 100)}. The tools are ${tools.map(each => each.name).join(', ')}.`);
	}

	const given = withoutNulls(input ?? {});
	const faults = describeFaults(tool.input, given);
	if (faults.length > 0) {
		return fail(`${faults.join('; ')}. The fields of ${name} are ${Object.keys(tool.input.properties).join(', ')}.`);
	}

	try {
		const answer = await tool.run(identity, Value.Default(tool.input, given) as Record<string, unknown>, signal);
		const text = makeSmall(JSON.parse(JSON.stringify(answer, shorten)) as Record<string, unknown>);
		return {isError: false, text, answer: JSON.parse(text) as Record<string, unknown>};
	} catch (error) {
		if (error instanceof ProcessualError && !signal?.aborted) {
			return fail(redactedMessage(error));
		}

		throw error;
	}
};

const withoutNulls = (input: unknown): unknown => typeof input === 'object' && input !== null && !Array.isArray(input)
	? Object.fromEntries(Object.entries(input).filter(([, value]) => value !== null))
	: input;
