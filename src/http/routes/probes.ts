import {UnavailableError} from '../../errors.ts';
import {failing} from './error-schemas.ts';
import {route} from './route.ts';
import {Alive, Ready} from '../schemas.ts';
import {redactPaths} from '../../wire/redact-paths.ts';

export const livez = route({
	method: 'GET',
	path: '/livez',
	summary: 'Whether the process is there',
	description: 'Checks nothing outside of the process: for an orchestrator that restarts what hangs.',
	responses: {200: Alive},
	handle: () => ({status: 'ok' as const}),
});

export const readyz = route({
	method: 'GET',
	path: '/readyz',
	summary: 'Whether the process can take on work',
	description: 'Model, state and journal are ready, or a 503 says which is not, and why. Fails first on a stop. What the store could not give is told too, and is no hindrance; and so are the languages that the model knows.',
	responses: {200: Ready, ...failing(503)},
	handle(process) {
		const {ready, parts, languages} = process.readiness();
		if (!ready) {
			const troubles = Object.entries(parts).filter(([, state]) => state !== 'ok').map(([part, state]) => `${part}: ${state}`);
			throw new UnavailableError(`Not ready. ${troubles.join('; ')}`);
		}

		return {status: 'ready' as const, parts: {...parts, store: redactPaths(parts.store)}, ...(languages && {languages: [...languages]})};
	},
});
