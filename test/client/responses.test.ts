/** The client's types of requests and responses are those of the schemas that the service checks with. */
import {readFile} from 'node:fs/promises';
import test from 'ava';
import type {Static} from '../../src/platform/typebox.ts';
import {clientTypes} from '../../scripts/client-types.ts';
import type * as client from '../../src/client/responses.ts';
import type * as cycle from '../../src/http/routes/cycle.ts';
import type * as daemon from '../../src/http/routes/daemon.ts';
import type * as dryRun from '../../src/http/routes/dry-run.ts';
import type * as health from '../../src/http/routes/health.ts';
import type * as difference from '../../src/http/routes/difference.ts';
import type * as drift from '../../src/http/routes/drift.ts';
import type * as history from '../../src/http/routes/history.ts';
import type * as ledger from '../../src/http/routes/ledger.ts';
import type * as metrics from '../../src/http/routes/metrics.ts';
import type * as openapi from '../../src/http/routes/openapi.ts';
import type * as probes from '../../src/http/routes/probes.ts';
import type * as profile from '../../src/http/routes/profile.ts';
import type * as scaledProfile from '../../src/http/routes/scaled-profile.ts';
import type * as reset from '../../src/http/routes/reset.ts';
import type * as sources from '../../src/http/routes/sources.ts';
import type * as state from '../../src/http/routes/state.ts';
import type * as translate from '../../src/http/routes/translate.ts';
import type * as vigilance from '../../src/http/routes/vigilance.ts';
import type * as whatIf from '../../src/http/routes/what-if.ts';

test('they are written from the schemas as they are', async t => {
	t.is(await readFile(new URL('../../src/client/responses.ts', import.meta.url), 'utf8'), clientTypes(), 'run npm run client-types');
});

type Same<One, Other> = [One] extends [Other] ? [Other] extends [One] ? true : false : false;

test('each is the type that TypeBox derives from its schema', t => {
	// The compiler compares; a difference is an error here.
	const same: {
		Health: Same<client.Health, Static<typeof health.Health>>;
		CycleRequest: Same<client.CycleRequest, Static<typeof cycle.CycleRequest>>;
		CycleResponse: Same<client.CycleResponse, Static<typeof cycle.CycleResponse>>;
		DryRunResponse: Same<client.DryRunResponse, Static<typeof dryRun.DryRunResponse>>;
		WhatIfRequest: Same<client.WhatIfRequest, Static<typeof whatIf.WhatIfRequest>>;
		WhatIfResponse: Same<client.WhatIfResponse, Static<typeof whatIf.WhatIfResponse>>;
		TranslateRequest: Same<client.TranslateRequest, Static<typeof translate.TranslateRequest>>;
		TranslateResponse: Same<client.TranslateResponse, Static<typeof translate.TranslateResponse>>;
		State: Same<client.State, Static<typeof state.State>>;
		Vigilance: Same<client.Vigilance, Static<typeof vigilance.Vigilance>>;
		Metrics: Same<client.Metrics, Static<typeof metrics.Metrics>>;
		ResetResponse: Same<client.ResetResponse, Static<typeof reset.ResetResponse>>;
		DaemonStatus: Same<client.DaemonStatus, Static<typeof daemon.DaemonStatus>>;
		DaemonStartResponse: Same<client.DaemonStartResponse, Static<typeof daemon.DaemonStartResponse>>;
		DaemonStopResponse: Same<client.DaemonStopResponse, Static<typeof daemon.DaemonStopResponse>>;
		Profile: Same<client.Profile, Static<typeof profile.Profile>>;
		ScaledProfile: Same<client.ScaledProfile, Static<typeof scaledProfile.ScaledProfile>>;
		Ledger: Same<client.Ledger, Static<typeof ledger.Ledger>>;
		History: Same<client.History, Static<typeof history.History>>;
		Difference: Same<client.Difference, Static<typeof difference.Difference>>;
		Drift: Same<client.Drift, Static<typeof drift.Drift>>;
		Sources: Same<client.Sources, Static<typeof sources.Sources>>;
		Alive: Same<client.Alive, Static<typeof probes.Alive>>;
		Ready: Same<client.Ready, Static<typeof probes.Ready>>;
		OpenapiDocument: Same<client.OpenapiDocument, Static<typeof openapi.OpenapiDocument>>;
	} = {
		Health: true, CycleRequest: true, CycleResponse: true, DryRunResponse: true, WhatIfRequest: true, WhatIfResponse: true, TranslateRequest: true, TranslateResponse: true, State: true, Vigilance: true, Metrics: true,
		ResetResponse: true, DaemonStatus: true, DaemonStartResponse: true, DaemonStopResponse: true, Profile: true, ScaledProfile: true, Ledger: true, History: true, Difference: true, Drift: true, Sources: true, Alive: true, Ready: true, OpenapiDocument: true,
	};
	t.is(Object.keys(same).length, 25);
});
