/**
 * Alerts as scores in Langfuse: receives the webhook of a service, and passes each alert on to Langfuse's public API
 * (https://langfuse.com/docs/api). `npm install standardwebhooks`, then:
 *
 *     ALERT_WEBHOOK_SECRET=… LANGFUSE_PUBLIC_KEY=… LANGFUSE_SECRET_KEY=… node langfuse.js
 *     ALERT_WEBHOOK_SECRET=… ALERT_WEBHOOK_URL=http://127.0.0.1:8110 processual serve
 *
 * A score belongs to the session that has the identity's name. No score contains the name of a source; GET /sources has it.
 */
import {createServer} from 'node:http';
import {text} from 'node:stream/consumers';
import {Webhook} from 'standardwebhooks';

const {
	ALERT_WEBHOOK_SECRET = '', LANGFUSE_PUBLIC_KEY = '', LANGFUSE_SECRET_KEY = '', LANGFUSE_BASE_URL = 'https://cloud.langfuse.com',
	HOST = '127.0.0.1', PORT = '8110',
} = process.env;
const webhook = new Webhook(ALERT_WEBHOOK_SECRET);
const authorization = `Basic ${Buffer.from(`${LANGFUSE_PUBLIC_KEY}:${LANGFUSE_SECRET_KEY}`).toString('base64')}`;

/** The value of an alert's score, with a comment. */
const scoreOf = (type, data) => {
	switch (type) {
		case 'drift.alarm': {
			const {reading, limit, span, voice} = data;
			return {value: reading, comment: `What is ${voice} differs from the baseline: above ${limit.toFixed(2)} over ${span} conversations.`};
		}

		case 'cycle.held': {
			return {value: 1, dataType: 'BOOLEAN', comment: 'A text waits until it is released or dropped: GET /held.'};
		}

		default: {
			return {value: data.p, comment: 'How likely chance does as much: GET /sources and GET /uptake say who.'};
		}
	}
};

const send = async (id, {type, data}) => {
	const {status} = await fetch(new URL('/api/public/scores', LANGFUSE_BASE_URL), {
		method: 'POST',
		headers: {authorization, 'content-type': 'application/json'},
		// A delivery is retried with the same id, and Langfuse keeps one score per id.
		body: JSON.stringify({id, name: type, sessionId: data.identity, dataType: 'NUMERIC', ...scoreOf(type, data)}),
		signal: AbortSignal.timeout(8000),
	});
	return status;
};

const server = createServer(async (request, response) => {
	const answer = status => response.writeHead(status).end();
	let alert;
	try {
		alert = webhook.verify(await text(request), request.headers);
	} catch {
		return answer(401);
	}

	try {
		const status = await send(request.headers['webhook-id'], alert);
		console.log(`${alert.type} of ${alert.data.identity}: Langfuse answered ${status}`);
		// Without a success the service retries the delivery, for about 25 minutes.
		answer(status < 300 ? 204 : 502);
	} catch (error) {
		console.error(`${alert.type} of ${alert.data.identity}: ${error.message}`);
		answer(502);
	}
});
server.listen(Number(PORT), HOST, () => console.log(`listening at http://${HOST}:${server.address().port}`));
