/**
 * The limit of the runtime: a bare `node:http` server that sends ready responses. Its parent sends
 * it our contestant's responses, path → headers and body, and receives its address.
 */
import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';

export type Answers = Record<string, {headers: Record<string, string>; body: string}>;

process.once('message', (given: Answers) => {
	const answers = new Map(Object.entries(given).map(([path, {headers, body}]) =>
		// Node writes large bodies fastest as bytes, and small ones as text together with the headers.
		[path, {headers, body: body.length > 4096 ? Buffer.from(body) : body}]));
	const server = createServer((request, response) => {
		const {headers, body} = answers.get(request.url!)!;
		response.writeHead(200, headers).end(body);
	});
	server.listen(0, '127.0.0.1', () => {
		process.send!({url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`});
	});
});
