/**
 * An embedding server in this process, for tests of services and commands that are not about the model:
 * they start in half the time.
 */
import {json} from 'node:stream/consumers';
import {startServer} from '../embedding/server.ts';
import {vectorOf} from '../actors/fixtures.ts';

export type FakeModel = AsyncDisposable & {
	/**
	 * The settings of a service or a command that embeds with it, under the name of a model that it
	 * has. Directions are the store's, since a catalogue would be a thousand texts to embed.
	 */
	settings(model?: string): Record<string, string>;
};

/**
 * The models of one server embed the same text differently.
 *
 * @param read How long each text takes. @default no time
 */
export const startFakeModel = async (read = async (_text: string): Promise<void> => {}): Promise<FakeModel> => {
	const {url, close} = await startServer(async (request, response) => {
		const {input, model} = await json(request) as {input: string; model: string};
		await read(input);
		response.setHeader('content-type', 'application/json');
		response.end(JSON.stringify({data: [{embedding: [...vectorOf(`${model}: ${input}`)]}]}));
	});
	return {
		settings: (model = 'first') => ({EMBEDDING_MODEL: `openai:${model}`, EMBEDDING_BASE_URL: `${url}/v1`, DIRECTIONS: 'store'}),
		[Symbol.asyncDispose]: close,
	};
};
