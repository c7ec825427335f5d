/** Every route: the interface's in its order, then the probes and the documentation. */
import {docs} from './pages/docs-page.ts';
import {entry} from './pages/entry-page.ts';
import {inspector} from './pages/inspector-page.ts';
import {cycle} from './routes/cycle.ts';
import {daemonStart, daemonStatus, daemonStop} from './routes/daemon.ts';
import {difference} from './routes/difference.ts';
import {drift} from './routes/drift.ts';
import {dryRun} from './routes/dry-run.ts';
import {events} from './routes/events.ts';
import {health} from './routes/health.ts';
import {history} from './routes/history.ts';
import {createIdentity, identities, putAsideIdentity} from './routes/identities.ts';
import {ledger} from './routes/ledger.ts';
import {metrics} from './routes/metrics.ts';
import {openapi} from './routes/openapi.ts';
import {livez, readyz} from './routes/probes.ts';
import {profile} from './routes/profile.ts';
import {scaledProfile} from './routes/scaled-profile.ts';
import {reset} from './routes/reset.ts';
import type {Operation, Route} from './routes/route.ts';
import {sources} from './routes/sources.ts';
import {state} from './routes/state.ts';
import {tensor} from './routes/tensor.ts';
import {validate} from './routes/validate.ts';
import {translate} from './routes/translate.ts';
import {vigilance} from './routes/vigilance.ts';
import {whatIf} from './routes/what-if.ts';

const endpoints = [health, cycle, translate, state, vigilance, metrics, reset, validate, daemonStatus, daemonStart, daemonStop, profile, scaledProfile, ledger, history, difference, drift, sources, tensor, dryRun, whatIf, livez, readyz];

/** What is asked of a host: its identities. */
export const hostRoutes: readonly Route[] = [identities, createIdentity, putAsideIdentity];

/** What is served beside the endpoints. */
type Extras = {isInspected: boolean; hasDocs?: boolean; isHost?: boolean};

/** Pages and streams, which have middleware of their own. */
const pagesFor = ({isInspected, hasDocs = true}: Extras): readonly Operation[] => [entry, ...isInspected ? [events, inspector] : [], ...hasDocs ? [docs] : []];

/** Every route. The last one documents all that is served. */
export const routesFor = (extras: Extras): readonly Route[] =>
	[...endpoints, openapi([...endpoints, ...extras.isHost ? hostRoutes : [], ...pagesFor(extras)])];
