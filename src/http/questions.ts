/** The table of questions: what a client, a program and a page may ask of an identity. Rows of one service's own are marked so. */
import {ScaledProfile, ScaledProfileRequest} from '../instruments/answers/scaled-profile.ts';
import {WhatIfRequest, WhatIfResponse} from '../instruments/answers/what-if.ts';
import {minBaseline} from '../instruments/baseline.ts';
import {pastQuestions} from './past-questions.ts';
import {question} from './question.ts';
import {toRequest, DryRunRequest, DryRunResponse, ResetResponse, ValidateRequest, ValidateResponse} from './schemas/changes.ts';
import {DaemonStartResponse, DaemonStatus, DaemonStopResponse, messages} from './schemas/daemon.ts';
import {Health, interfaceVersion, Metrics, MetricsText, TranslateRequest, TranslateResponse} from './schemas/service.ts';
import {Profile, beginningOf, State, StateRequest, Tensor, toNumbers, Vigilance} from './schemas/state.ts';

const health = question({
	name: 'health',
	method: 'GET',
	path: '/health',
	group: 'Service',
	summary: 'Is the service alive?',
	description: 'Answers whenever the service runs, with a state or without.',
	answer: Health,
	failures: [],
	isOfService: true,
	run: async identity => ({status: 'ok' as const, version: interfaceVersion, ...await identity.health()}),
});

export const metrics = question({
	name: 'metrics',
	method: 'GET',
	path: '/metrics',
	group: 'Service',
	summary: 'Counts of cycles and alerts',
	description: 'Counts since startup or the last reset, and of the last hour. A client that prefers text/plain or OpenMetrics gets '
		+ 'every metric in Prometheus’s text format instead, where the service collects them.',
	answer: Metrics,
	failures: [503],
	texts: {'text/plain': MetricsText},
	isOfService: true,
	run: identity => identity.metrics(),
});

/** In the order of the interface. */
export const questions = [
	health,
	question({
		name: 'translate',
		method: 'POST',
		path: '/translate',
		group: 'Talk',
		repeat: 'safe',
		summary: 'Put the current state into words',
		description: 'Asks the language model, or the template, for a text that speaks from the current state: what differs from chance, '
			+ 'unless the operator chose raw projections. Disconnecting cancels the request. A few run at the same time; further ones get 429.',
		ask: TranslateRequest,
		answer: TranslateResponse,
		failures: [413, 415, 422, 429, 500, 503],
		namesIgnored: true,
		isCancellable: true,
		isOfService: true,
		run: async (identity, {context}, options) => identity.translate({context}, options),
	}),
	question({
		name: 'state',
		method: 'GET',
		path: '/state',
		group: 'State',
		summary: 'The current state, or one of the past',
		description: 'Its number, its time, and the first 10 floats of each of its 8 dimensions. A state of the past comes from the '
			+ 'journal, bit for bit.',
		ask: StateRequest,
		answer: State,
		failures: [409, 422, 429, 503],
		namesIgnored: true,
		isCacheable: true,
		isCancellable: true,
		isOfService: true,
		run: async (identity, {at}, options) => at === 'present' ? identity.state() : beginningOf(await identity.stateAt(at, options)),
	}),
	question({
		name: 'vigilance',
		method: 'GET',
		path: '/vigilance',
		group: 'State',
		summary: 'Drift from the reference',
		description: 'How far the current state has drifted from the reference, and in which dimensions most.',
		answer: Vigilance,
		failures: [503],
		namesIgnored: true,
		isCacheable: true,
	}),
	metrics,
	question({
		name: 'reset',
		method: 'POST',
		path: '/reset',
		group: 'Talk',
		repeat: 'unsafe',
		summary: 'Restore the initial state',
		description: 'Restores a copy of the initial state and clears drift, metrics and counters; the mode becomes idle. A running loop '
			+ 'keeps running, and the last trigger stays.',
		answer: ResetResponse,
		failures: [500, 503],
		isOfService: true,
		run: async identity => ({status: 'ok' as const, ...await identity.reset()}),
	}),
	question({
		name: 'validate',
		method: 'POST',
		path: '/validate',
		group: 'Drift',
		repeat: 'unsafe',
		summary: 'Say that this is who it should be',
		description: 'Writes a validation to the journal: the present state as the anchor that drift is measured from, and the texts '
			+ `before it as the baseline of what is ordinary. It needs ${minBaseline.texts} texts in ${minBaseline.visits} visits, and `
			+ 'changes nothing of the state. It holds until the next one.',
		ask: ValidateRequest,
		answer: ValidateResponse,
		failures: [409, 413, 415, 422, 429, 500, 503],
		throws: [
			`{BaselineTooShortError} when the journal keeps fewer than ${minBaseline.texts} texts, or ${minBaseline.visits} visits`,
			'{UnreadTextsError} when more than a tenth of the last 100 texts are in languages that the embedding model does not read, '
				+ 'unless `acceptUnread` is true',
		],
	}),
	question({
		name: 'daemonStatus',
		method: 'GET',
		path: '/daemon/status',
		group: 'Talk',
		summary: 'Mode, counters and last trigger',
		description: 'Whether the mode is idle, conversation or autonomous, and which triggers led to it.',
		answer: DaemonStatus,
		failures: [503],
		isOfService: true,
		run: identity => identity.daemon.status(),
	}),
	question({
		name: 'daemonStart',
		method: 'POST',
		path: '/daemon/start',
		group: 'Talk',
		repeat: 'safe',
		summary: 'Start the autonomous loop',
		description: 'Starts the loop unless it runs already; a second one never starts.',
		answer: DaemonStartResponse,
		failures: [503],
		isOfService: true,
		async run(identity) {
			const {started, config} = await identity.daemon.start();
			return started && config
				? {status: 'started' as const, message: messages.started, config}
				: {status: 'already_running' as const, message: messages.alreadyRunning};
		},
	}),
	question({
		name: 'daemonStop',
		method: 'POST',
		path: '/daemon/stop',
		group: 'Talk',
		repeat: 'safe',
		summary: 'Stop the autonomous loop',
		description: 'Stops the loop and cancels the cycle it is in; the mode becomes idle.',
		answer: DaemonStopResponse,
		failures: [503],
		isOfService: true,
		run: async identity => (await identity.daemon.stop()).stopped
			? {status: 'stopped' as const, message: messages.stopped}
			: {status: 'not_running' as const, message: messages.notRunning},
	}),
	question({
		name: 'profile',
		method: 'GET',
		path: '/profile',
		group: 'State',
		summary: 'The state on the projection directions',
		description: 'Projects the current state and the reference onto every loaded direction.',
		answer: Profile,
		failures: [503],
		namesIgnored: true,
		isCacheable: true,
	}),
	question({
		name: 'scaledProfile',
		method: 'GET',
		path: '/profile/scaled',
		group: 'State',
		summary: 'The profile with units',
		description: 'Projects the current state on every direction, and says where the value lies among those of the catalogue’s example '
			+ 'sentences: as z, as a percentile and in a word.',
		ask: ScaledProfileRequest,
		answer: ScaledProfile,
		failures: [422, 503],
		isCacheable: true,
	}),
	...pastQuestions,
	question({
		name: 'tensor',
		method: 'GET',
		path: '/tensor',
		group: 'State',
		summary: 'The current state, or one of the past, as a whole',
		description: 'Its number, its time, and all 1024 floats of each of its 8 dimensions: about 100 KB.',
		ask: StateRequest,
		answer: Tensor,
		failures: [409, 422, 429, 503],
		isCancellable: true,
		isOfService: true,
		run: async (identity, {at}, options) => toNumbers(at === 'present' ? await identity.tensor() : await identity.stateAt(at, options)),
	}),
	question({
		name: 'dryRun',
		method: 'POST',
		path: '/dry-run',
		group: 'Talk',
		repeat: 'safe',
		summary: 'What a text would do',
		description: 'Runs the cycle of a text and drops it: no state, counter, mode, record or event changes. A cycle that follows, with '
			+ 'nothing between, has the same result. Its state_id is the one that the cycle would make.',
		ask: DryRunRequest,
		answer: DryRunResponse,
		failures: [413, 415, 422, 429, 500, 503],
		isCancellable: true,
		isOfService: true,
		run: async (identity, ask, options) => identity.dryRun(toRequest(ask), options),
	}),
	question({
		name: 'whatIf',
		method: 'POST',
		path: '/what-if',
		group: 'Past',
		repeat: 'safe',
		summary: 'The other self, without some texts or with others',
		description: 'Replays the journal in a thread, and compares the self that it leads to with the present one. Reads and cycles go '
			+ 'on. Texts that were compacted are heard by both selves.',
		ask: WhatIfRequest,
		answer: WhatIfResponse,
		failures: [409, 413, 415, 422, 429, 500, 503],
		isCancellable: true,
	}),
] as const;
