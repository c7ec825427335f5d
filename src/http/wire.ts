/**
 * The one place where views get the names of the wire. A view that is handed out again gets the same answer.
 */
import type {Static} from 'typebox';
import type {LoopConfig} from '../actors/loop.ts';
import type * as views from '../actors/views.ts';
import type {DeepReadonly} from '../deep-freeze.ts';
import {memoizeWeak} from '../memoize-weak.ts';
import {interfaceVersion, type CycleAnswer, type DaemonStartAnswer, type DaemonStatus, type DaemonStopAnswer, type Health, type Metrics, type Profile, type ResetAnswer, type State, type TranslateAnswer, type Vigilance} from './schemas.ts';

export const health = (view: views.HealthView): Static<typeof Health> => ({
	status: 'ok',
	version: interfaceVersion,
	uptime_seconds: view.uptimeSeconds,
	state_id: view.stateId,
	embedding_model: view.embeddingModel,
});

export const cycleResult = (result: views.CycleResult): DeepReadonly<Static<typeof CycleAnswer>> => ({
	state_id: result.stateId,
	delta_magnitude: result.deltaMagnitude,
	dissonance_total: result.dissonanceTotal,
	is_choc: result.isChoc,
	dimensions_affected: result.dimensionsAffected,
	processing_time_ms: result.processingTimeMs,
});

export const translation = (made: views.Translation): Static<typeof TranslateAnswer> => ({
	text: made.text,
	projections: made.projections,
	reasoning_detected: made.reasoningDetected,
	faithfulness: made.faithfulness,
});

export const state = memoizeWeak((view: views.StateView): DeepReadonly<Static<typeof State>> => ({
	state_id: view.stateId,
	timestamp: view.timestamp,
	dimensions: view.dimensions,
}));

export const vigilance = memoizeWeak((view: views.VigilanceView): DeepReadonly<Static<typeof Vigilance>> => ({
	level: view.level,
	cumulative_drift: view.cumulativeDrift,
	top_drifting_dimensions: view.topDriftingDimensions,
	message: view.message,
}));

export const metrics = (view: views.MetricsView): Static<typeof Metrics> => ({
	status: view.status,
	uptime_hours: view.uptimeHours,
	total_cycles: view.totalCycles,
	cycles_last_hour: view.cyclesLastHour,
	alerts: view.alerts,
});

export const reset = ({stateId}: {stateId: number}): Static<typeof ResetAnswer> => ({
	status: 'ok',
	state_id: stateId,
});

export const daemonStatus = (view: views.DaemonView): Static<typeof DaemonStatus> => ({
	mode: view.mode,
	is_ruminating: view.isRuminating,
	daemon_running: view.daemonRunning,
	last_trigger: view.lastTrigger && {type: view.lastTrigger.type, timestamp: view.lastTrigger.timestamp},
	cycles_breakdown: view.cyclesBreakdown,
	cycles_since_last_user: view.cyclesSinceLastUser,
	time_since_last_user_seconds: view.timeSinceLastUserSeconds,
});

export const daemonStart = ({started, config}: {started: boolean; config: LoopConfig}): Static<typeof DaemonStartAnswer> => started
	? {
		status: 'started',
		message: 'The autonomous loop has started.',
		config: {
			cycle_interval_seconds: config.cycleIntervalSeconds,
			prob_rumination_free: config.probRuminationFree,
			prob_corpus: config.probCorpus,
			prob_unresolved: config.probUnresolved,
		},
	}
	: {status: 'already_running', message: 'The autonomous loop is running already.'};

export const daemonStop = ({stopped}: {stopped: boolean}): Static<typeof DaemonStopAnswer> => stopped
	? {status: 'stopped', message: 'The autonomous loop has stopped.'}
	: {status: 'not_running', message: 'The autonomous loop was not running.'};

const entries = (profile: views.ProfileView['profile']): Static<typeof Profile>['profile'] =>
	mapValues(profile, (directions) => mapValues(directions, (entry) => ({
		value: entry.value,
		dimension: entry.dimension,
		pole_positive: entry.polePositive,
		pole_negative: entry.poleNegative,
	})));

const mapValues = <From, To>(record: Record<string, From>, change: (value: From) => To): Record<string, To> =>
	Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));

export const profile = memoizeWeak((view: views.ProfileView): Static<typeof Profile> => ({
	state_id: view.stateId,
	directions_count: view.directionsCount,
	profile: entries(view.profile),
	reference_profile: entries(view.referenceProfile),
	reference_similarity: view.referenceSimilarity,
}));
