/** `GET /livez` and `GET /readyz`: probes for an orchestrator, without token and rate limit. */
import type {Context} from 'koa';
import {Type} from '../../platform/typebox.ts';
import {redactPaths} from '../../wire/errors.ts';
import {identityNameOf} from '../middleware/name-identity.ts';
import {NotReadyError} from '../request-error.ts';
import {errorResponses} from '../schemas/errors.ts';
import {ignoredHeader, route} from './route.ts';
import {list, map, shape, text, word} from '../../wire/builders.ts';

export const Alive = shape('Alive', 'The process runs.', {
	status: word('Always ok.', ['ok']),
});

export const Ready = shape('Ready', 'The service accepts cycles.', {
	status: word('Always ready; otherwise the status is 503.', ['ready']),
	parts: map(
		'Part → ok. The store may have a reason instead of ok.', text('State of the part.', 'ok'),
		{model: 'ok', state: 'ok', journal: 'ok', store: 'ok'},
	),
	languages: Type.Optional(list('The languages that the embedding model was trained for. It understands little of texts in others. '
		+ 'Absent where the encoder does not say.', text('A BCP 47 tag.', 'en'))),
	note: Type.Optional(text(
		'A note for the operator although the service is ready: that many of the newest texts are in other languages. Absent if there is none.',
		'34 of the last 100 texts are in languages that the embedding model does not read.',
	)),
});

export const livez = route({
	method: 'GET',
	path: '/livez',
	summary: 'Whether the process runs',
	description: 'Checks nothing outside of the process: for an orchestrator that restarts a process that hangs.',
	responses: {200: Alive},
	isForAll: true,
	handle: () => ({status: 'ok' as const}),
});

export const readyz = route({
	method: 'GET',
	path: '/readyz',
	summary: 'Whether the service accepts cycles',
	description: 'Ready when model, state and journal are ready; otherwise a 503 says which is not, and why. On a stop it fails first. '
		+ 'A store that could not be read is reported, and does not prevent readiness. Also lists the languages of the embedding model.',
	ignoredHeader,
	responses: {200: Ready, ...errorResponses(503)},
	async handle(identity) {
		const {ready, isTemporary, parts, languages, note} = await identity.readiness();
		const shown = Object.fromEntries(Object.entries(parts).map(([part, state]) => [part, redactPaths(state)]));
		if (!ready) {
			throw new NotReadyError(shown, isTemporary);
		}

		return {status: 'ready' as const, parts: shown, ...(languages && {languages}), ...(note && {note})};
	},
});

const paths = new Set<string>([livez.path, readyz.path]);

/** Whether a request is a probe of the service. A request that names an identity is not, since it opens that identity. */
export const isProbe = (ctx: Context): boolean => paths.has(ctx.path) && identityNameOf(ctx) === null;
