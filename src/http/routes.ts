/** All routes: those of the interface in order, then the probes and the documentation. */
import type {Host} from '../host/host.ts';
import {docs, docsPaths} from './pages/docs-page.ts';
import {entry, faviconPath} from './pages/entry-page.ts';
import {inspector} from './pages/inspector-page.ts';
import {questionRoute, type AnyQuestion} from './question.ts';
import {questions} from './questions.ts';
import {cycle} from './routes/cycle.ts';
import {events} from './routes/events.ts';
import {fleet, putIdentity, identities, putAsideIdentity} from './routes/identities.ts';
import {openapi} from './openapi.ts';
import {livez, readyz} from './routes/probes.ts';
import type {Operation, Route} from './routes/route.ts';

/** The endpoints; `/cycle` is the second one of the interface. */
const endpointsOf = (rows: readonly AnyQuestion[]): Route[] =>
	[...rows.map(row => questionRoute(row)).toSpliced(1, 0, cycle), livez, readyz];

/** The routes of a host, about its identities. */
export const hostRoutesFor = (host: Pick<Host, 'fleet'>): readonly Route[] =>
	[identities, ...host.fleet ? [fleet] : [], putIdentity, putAsideIdentity];

/** The pages and the host that are served besides the endpoints. */
type Extras = {isInspected: boolean; hasDocs?: boolean; host?: Pick<Host, 'fleet'> | null};

/** Pages and streams, which have separate middleware. */
const pagesFor = ({isInspected, hasDocs = true}: Extras): readonly Operation[] =>
	[entry, ...isInspected ? [events, inspector] : [], ...hasDocs ? [docs] : []];

/** Paths that do not exist below `/identities/:id`, because they concern no single identity. */
export const pathsOfAll: ReadonlySet<string> = new Set([
	entry.path, faviconPath, livez.path, '/openapi.json', identities.path, fleet.path, ...docsPaths,
]);

/** All routes. The last one documents everything that is served. */
export const routesFor = (extras: Extras, rows: readonly AnyQuestion[] = questions): readonly Route[] => {
	const endpoints = endpointsOf(rows);
	return [...endpoints, openapi([...endpoints, ...extras.host ? hostRoutesFor(extras.host) : [], ...pagesFor(extras)], pathsOfAll)];
};
