/** Names unknown fields and parameters that the interface accepts: in the response, and once in the log. */
import type {Context} from 'koa';
import {nearestName} from '../../platform/unknown-names.ts';
import type {Logger} from '../http-options.ts';
import type {Route} from '../routes/route.ts';

/** Clients make the names up, so these are bounded: names per response, characters per name, and names remembered. */
const bounds = {fields: 10, characters: 40, logged: 100};

/** @param names The names of the unknown fields and parameters. */
export type NameIgnored = (ctx: Context, route: Route, names: readonly string[]) => void;

export const createIgnoredNaming = (logger: Pick<Logger, 'warn'> | undefined): NameIgnored => {
	const logged = new Set<string>();
	return (ctx, {path, body, query, ignoredHeader}, names) => {
		if (!ignoredHeader || names.length === 0) {
			return;
		}

		const known = Object.keys((body ?? query)?.properties ?? {});
		const unknown = names.slice(0, bounds.fields).map(name => name.slice(0, bounds.characters).toWellFormed());
		ctx.set(ignoredHeader.name, unknown.map(name => encodeURIComponent(name)).join(', '));
		for (const field of unknown) {
			if (logged.size < bounds.logged && !logged.has(path + field)) {
				logged.add(path + field);
				logger?.warn({path, field, nearest: nearestName(field, known)}, 'a field of a request is unknown and was ignored');
			}
		}
	};
};
