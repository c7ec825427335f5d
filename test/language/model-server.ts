/**
 * A language model's server on a free port of this machine, for tests: it answers Anthropic's
 * `POST /v1/messages` and OpenAI's `POST /v1/chat/completions`, records its requests, and fails
 * in the ways that such servers fail.
 */
import {once} from 'node:events';
import type {IncomingHttpHeaders, ServerResponse} from 'node:http';
import {json as bodyOf} from 'node:stream/consumers';
import {startServer} from '../embedding/server.ts';

export type Wire = 'anthropic' | 'openai';

export type Question = {
	wire: Wire;
	headers: IncomingHttpHeaders;
	body: Record<string, unknown>;
	/** The system message and the user's, wherever the wire has them. */
	instructions: string;
	prompt: string;
	/** Settles when the answer has been sent or the connection has closed. */
	closed: Promise<unknown>;
};

export type Answer = (question: Question, response: ServerResponse) => void;

export type ModelServer = {
	/** The base URL, ending in /v1. */
	url: string;
	/** The requests so far, the oldest first. */
	asked: Question[];
	close: () => Promise<void>;
};

const wires: Record<string, Wire> = {'/v1/messages': 'anthropic', '/v1/chat/completions': 'openai'};

const reply = (response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void => {
	response.writeHead(status, {'content-type': 'application/json', ...headers}).end(JSON.stringify(body));
};

/** The reasons why an answer ends, in each wire. */
const ends = {
	done: {anthropic: 'end_turn', openai: 'stop'},
	refused: {anthropic: 'refusal', openai: 'content_filter'},
	cutShort: {anthropic: 'max_tokens', openai: 'length'},
};

/** An answer with a text. */
export const says = (text: string, end: keyof typeof ends = 'done'): Answer => ({wire, body: {model}}, response) => {
	const reason = ends[end][wire];
	reply(response, 200, wire === 'anthropic'
		? {
			type: 'message',
			id: 'msg_1',
			role: 'assistant',
			model,
			content: [{type: 'text', text}],
			stop_reason: reason,
			stop_sequence: null,
			usage: {input_tokens: 10, output_tokens: 10},
		}
		: {
			object: 'chat.completion',
			id: 'chatcmpl-1',
			created: 0,
			model,
			choices: [{index: 0, message: {role: 'assistant', content: text}, finish_reason: reason}],
			usage: {prompt_tokens: 10, completion_tokens: 10, total_tokens: 20},
		});
};

/** An error in the wire's format. */
export const fails = (status: number, message: string, headers?: Record<string, string>): Answer => ({wire}, response) => {
	const error = {type: 'some_error', message};
	reply(response, status, wire === 'anthropic' ? {type: 'error', error} : {error}, headers);
};

/** A successful status with any body. */
export const sends = (body: string): Answer => (_, response) => {
	response.writeHead(200, {'content-type': 'application/json'}).end(body);
};

/** A connection cut before the answer. */
export const cuts: Answer = (_, response) => {
	response.destroy();
};

/** A connection cut in the middle of the answer. */
export const cutsInTheMiddle: Answer = (_, response) => {
	response.writeHead(200, {'content-length': '1000'}).write('{"id": ', () => response.destroy());
};

/** No answer at all. */
export const hangs: Answer = () => undefined;

/** The beginning of an answer, and no more. */
export const hangsInTheMiddle: Answer = (_, response) => {
	response.writeHead(200, {'content-length': '1000'}).write('{"id": ');
};

type Message = {role: string; content: string | Array<{text: string}>};

const textOf = (content: Message['content']): string =>
	typeof content === 'string' ? content : content.map(({text}) => text).join('');

/** Starts a server that gives the answers in turn, and then repeats the last one. */
export const startModelServer = async (...answers: [Answer, ...Answer[]]): Promise<ModelServer> => {
	const asked: Question[] = [];
	const {url, close} = await startServer(async (request, response) => {
		const wire = wires[request.url!];
		if (request.method !== 'POST' || !wire) {
			reply(response, 404, {error: {message: `There is no ${request.url}.`}});
			return;
		}

		const closed = once(response, 'close');
		const body = await bodyOf(request) as {system?: Message['content']; messages: Message[]};
		const said = (role: string) => textOf(body.messages.find(message => message.role === role)?.content ?? '');
		const question: Question = {
			wire,
			headers: request.headers,
			body,
			instructions: wire === 'anthropic' ? textOf(body.system ?? '') : said('system'),
			prompt: said('user'),
			closed,
		};
		asked.push(question);
		answers[Math.min(asked.length, answers.length) - 1]!(question, response);
	});
	return {url: `${url}/v1`, asked, close};
};
