/** An embedding server in this process, so that services which are started again and again start fast. */
import {json} from 'node:stream/consumers';
import {startServer} from '../embedding/server.ts';
import {vectorOf} from '../actors/fixtures.ts';

export type FakeModel = AsyncDisposable & {
	/** The settings of a service or a command that embeds with it, under the name of a model that it has. */
	settings(model?: string): Record<string, string>;
};

/** Models of one server put the same text into different places. */
export const startFakeModel = async (): Promise<FakeModel> => {
	const {url, close} = await startServer(async (request, response) => {
		const {input, model} = await json(request) as {input: string; model: string};
		response.setHeader('content-type', 'application/json');
		response.end(JSON.stringify({data: [{embedding: [...vectorOf(`${model}: ${input}`)]}]}));
	});
	return {
		settings: (model = 'first') => ({EMBEDDING_MODEL: `openai:${model}`, EMBEDDING_BASE_URL: `${url}/v1`}),
		[Symbol.asyncDispose]: close,
	};
};
