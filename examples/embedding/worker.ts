/**
 * An identity in a worker (workerd, Cloudflare). A durable object keeps it between requests, and
 * answers by `fetch`. The runtime compiles WebAssembly only before it runs, so the kernel is imported as a
 * module. The flag `nodejs_compat` is needed. Without a journal the identity is in memory, and ends
 * with the object.
 */
import {createIdentity} from 'processual-state';
import {createHttp, type Http} from 'processual-state/http';
import {selectKernel} from 'processual-state/kernel';
import kernel from 'processual-state/kernel.wasm';
import {encoder} from './pairs-of-letters.ts';

type Stub = {fetch(request: Request): Promise<Response>};
type Environment = {KEEPER: {get(id: unknown): Stub; idFromName(name: string): unknown}};

/** The durable object. Outside of it, a worker may keep nothing between requests. */
export class Keeper {
	#http: Http | undefined;

	async fetch(request: Request): Promise<Response> {
		this.#http ??= createHttp(createIdentity({
			encoder,
			kernel: selectKernel(kernel),
			themes: {rumination: ['Who am I?'], corpus: ['The sea.']},
		}), {prefix: '/identity', inspector: true});
		return this.#http.fetch(request);
	}
}

const worker = {
	async fetch(request: Request, {KEEPER}: Environment): Promise<Response> {
		return KEEPER.get(KEEPER.idFromName('ada')).fetch(request);
	},
};

export default worker;
