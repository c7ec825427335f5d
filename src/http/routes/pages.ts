/** The pages and the stream that stand beside the routes, as far as the OpenAPI document tells of them. */
import {failing} from './error-schemas.ts';
import {flag, text} from './schema-builders.ts';
import type {Documented} from './route.ts';

const page = (description: string) => text(description, '<!doctype html>');

const events: Documented = {
	method: 'GET',
	path: '/events',
	summary: 'What happens, as it happens',
	description: 'A stream of server-sent events: first the living picture, then every event. A client that comes back tells the last id it has seen, as Last-Event-ID, and goes on after it, as far back as a bounded buffer reaches. A consumer that is too slow is told what it missed and disconnected.',
	query: {
		types: text('The types that are wanted, separated by commas; a word may end in * for any ending. At most 32 words; all types unless given.', 'cycle.*,mode.changed'),
		contents: flag('Whether texts are included; they stand as “…” otherwise.', false),
		history: flag('Whether the buffered past comes first.', false),
		last_event_id: text('As the header Last-Event-ID, which it stands in for.', '4f1c-12'),
	},
	responses: failing(422, 429, 503),
	texts: {'text/event-stream': text('Events, each with an id, a type and one JSON object.', 'id: 4f1c-12\nevent: mode.changed\ndata: {"mode":"conversation","is_ruminating":false,"daemon_running":false}\n\n')},
};

const inspector: Documented = {
	method: 'GET',
	path: '/inspector',
	summary: 'The process, to look at',
	description: 'A page that shows the machines of the process and what moves in them, live. It asks for nothing outside of this service.',
	responses: {},
	texts: {'text/html': page('The page.')},
};

const docs: Documented = {
	method: 'GET',
	path: '/docs',
	summary: 'This document, to read',
	description: 'A page that shows this document and tries out its requests. It asks for nothing outside of this service.',
	responses: {},
	texts: {'text/html': page('The page.')},
};

/** Served where the process is inspected. */
export const inspectorPages: readonly Documented[] = [events, inspector];

/** Served always. */
export const pages: readonly Documented[] = [docs];
