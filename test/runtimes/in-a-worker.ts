/** A worker of Cloudflare's kind: a durable object keeps the identity, and answers by `fetch` alone. It must be bundled. */
import {createIdentity} from 'processual-state';
import {createHttp, type Http} from 'processual-state/http';
import {encoder} from './journey.ts';

type Stub = {fetch(request: Request): Promise<Response>};
type Environment = {KEEPER: {get(id: unknown): Stub; idFromName(name: string): unknown}};

/** The durable object. Outside of it, a worker may keep nothing between requests. */
export class Keeper {
	#http: Http | undefined;

	async fetch(request: Request): Promise<Response> {
		this.#http ??= createHttp(createIdentity({encoder, themes: {rumination: ['Who am I?'], corpus: ['The sea.']}}), {prefix: '/identity', inspector: true});
		return this.#http.fetch(request);
	}
}

const worker = {
	async fetch(request: Request, {KEEPER}: Environment): Promise<Response> {
		return KEEPER.get(KEEPER.idFromName('ada')).fetch(request);
	},
};

export default worker;
