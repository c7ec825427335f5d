/**
 * Every route: those of the interface in its order, then the probes and the documentation.
 */
import type {Route} from './routes/route.ts';
import {cycle} from './routes/cycle.ts';
import {daemonStart, daemonStatus, daemonStop} from './routes/daemon.ts';
import {health} from './routes/health.ts';
import {metrics} from './routes/metrics.ts';
import {openapi} from './routes/openapi.ts';
import {inspectorPages, pages} from './routes/pages.ts';
import {livez, readyz} from './routes/probes.ts';
import {profile} from './routes/profile.ts';
import {reset} from './routes/reset.ts';
import {state} from './routes/state.ts';
import {translate} from './routes/translate.ts';
import {vigilance} from './routes/vigilance.ts';

const endpoints = [health, cycle, translate, state, vigilance, metrics, reset, daemonStatus, daemonStart, daemonStop, profile, livez, readyz];

/** Documented is what there is: the inspector's page and stream only where they are served. */
export const routesFor = ({isInspected}: {isInspected: boolean}): readonly Route[] =>
	[...endpoints, openapi([...endpoints, ...(isInspected ? inspectorPages : []), ...pages])];
