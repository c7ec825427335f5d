/** The table of questions that clients, programs and pages may ask of an identity. Rows that only the service has are marked. */
import {Difference, DifferenceRequest} from '../instruments/answers/difference.ts';
import {Drift, DriftRequest, Sources} from '../instruments/answers/drift.ts';
import {History, HistoryRequest} from '../instruments/answers/history.ts';
import {Ledger, LedgerRequest} from '../instruments/answers/ledger.ts';
import {ScaledProfile, ScaledProfileRequest} from '../instruments/answers/scaled-profile.ts';
import {WhatIfRequest, WhatIfResponse} from '../instruments/answers/what-if.ts';
import {Uptake} from '../instruments/answers/uptake.ts';
import {needed} from '../instruments/drift/baseline.ts';
import {ofInterface, question, readsJournal, takesBody} from './question.ts';
import {textQuestions} from './text-questions.ts';
import {toRequest, DryRunRequest, DryRunResponse, ResetResponse, ValidateRequest, ValidateResponse} from './schemas/changes.ts';
import {DaemonStartResponse, DaemonStatus, DaemonStopResponse, messages} from './schemas/daemon.ts';
import {Health, interfaceVersion, MetricsSchema, MetricsText, TranslateRequest, TranslateResponse} from './schemas/service.ts';
import {ProfileSchema, beginningOf, State, StateRequest, Tensor, toNumbers, VigilanceSchema} from './schemas/state.ts';

const health = question({
	name: 'health',
	group: 'Service',
	summary: 'Is the service alive?',
	description: 'Answers whenever the service runs, with a state or without.',
	answer: Health,
	failures: [],
	...ofInterface,
	run: async identity => ({status: 'ok' as const, version: interfaceVersion, ...await identity.health()}),
});

export const metrics = question({
	name: 'metrics',
	group: 'Service',
	summary: 'Counts of cycles and alerts',
	description: 'Counts since startup or the last reset, and of the last hour. A client that prefers text/plain or OpenMetrics gets '
		+ 'every metric in Prometheus’s text format instead, where the service collects them.',
	answer: MetricsSchema,
	failures: [503],
	texts: {'text/plain': MetricsText},
	...ofInterface,
	run: identity => identity.metrics(),
});

/** With more points, an answer would exceed 1 MiB. */
const maxPoints = 800;

const asksDrift = {group: 'Drift', ask: DriftRequest, ...readsJournal} as const;

/** The rows, in the order of the interface. */
export const questions = [
	health,
	question({
		name: 'translate',
		group: 'Talk',
		repeat: 'safe',
		right: 'read',
		summary: 'Put the current state into words',
		description: 'Asks the language model, or the template, for a text that speaks from the current state: what differs from chance, '
			+ 'unless the operator chose raw projections. Disconnecting cancels the request. A few run at the same time; further ones get 429.',
		ask: TranslateRequest,
		answer: TranslateResponse,
		failures: [413, 415, 422, 429, 500, 503],
		isCancellable: true,
		...ofInterface,
		run: async (identity, {context}, options) => identity.translate({context}, options),
	}),
	question({
		name: 'state',
		group: 'State',
		summary: 'The current state, or one of the past',
		description: 'Its number, its time, and the first 10 floats of each of its 8 dimensions. A state of the past comes from the '
			+ 'journal, bit for bit.',
		ask: StateRequest,
		answer: State,
		failures: [409, 422, 429, 503],
		isCacheable: true,
		isCancellable: true,
		...ofInterface,
		run: async (identity, {at}, options) => at === 'present' ? identity.state() : beginningOf(await identity.stateAt(at, options)),
	}),
	question({
		name: 'vigilance',
		group: 'State',
		summary: 'Drift from the reference',
		description: 'How far the current state has drifted from the reference, and in which dimensions most.',
		answer: VigilanceSchema,
		failures: [503],
		namesIgnored: true,
		isCacheable: true,
	}),
	metrics,
	question({
		name: 'reset',
		group: 'Talk',
		repeat: 'unsafe',
		summary: 'Restore the initial state',
		description: 'Restores a copy of the initial state and clears drift, metrics and counters; the mode becomes idle. A running loop '
			+ 'keeps running, and the last trigger stays.',
		answer: ResetResponse,
		failures: [500, 503],
		...ofInterface,
		run: async identity => ({status: 'ok' as const, ...await identity.reset()}),
	}),
	question({
		name: 'validate',
		group: 'Drift',
		repeat: 'unsafe',
		summary: 'Approve the present state as the reference for drift',
		description: 'Writes a validation to the journal: the present state as the anchor that drift is measured from, and the texts '
			+ `before it as the baseline of what is ordinary. It needs ${needed}, and changes nothing of the state. It holds until the `
			+ 'next one.',
		ask: ValidateRequest,
		answer: ValidateResponse,
		failures: [409, 413, 415, 422, 429, 500, 503],
		throws: [
			`{BaselineTooShortError} when the journal keeps less than ${needed}; and when nearly all of the texts have one vector`,
			'{UnreadTextsError} when more than a tenth of the last 100 texts are in languages that the embedding model does not read, '
				+ 'unless `acceptUnread` is true',
		],
	}),
	question({
		name: 'daemonStatus',
		path: '/daemon/status',
		group: 'Talk',
		summary: 'Mode, counters and last trigger',
		description: 'Whether the mode is idle, conversation or autonomous, and which triggers led to it.',
		answer: DaemonStatus,
		failures: [503],
		...ofInterface,
		run: identity => identity.daemon.status(),
	}),
	question({
		name: 'daemonStart',
		path: '/daemon/start',
		group: 'Talk',
		repeat: 'safe',
		summary: 'Start the autonomous loop',
		description: 'Starts the loop unless it runs already; a second one never starts.',
		answer: DaemonStartResponse,
		failures: [503],
		...ofInterface,
		async run(identity) {
			const {started, config} = await identity.daemon.start();
			return started && config
				? {status: 'started' as const, message: messages.started, config}
				: {status: 'already_running' as const, message: messages.alreadyRunning};
		},
	}),
	question({
		name: 'daemonStop',
		path: '/daemon/stop',
		group: 'Talk',
		repeat: 'safe',
		summary: 'Stop the autonomous loop',
		description: 'Stops the loop and cancels the cycle it is in; the mode becomes idle.',
		answer: DaemonStopResponse,
		failures: [503],
		...ofInterface,
		run: async identity => (await identity.daemon.stop()).stopped
			? {status: 'stopped' as const, message: messages.stopped}
			: {status: 'not_running' as const, message: messages.notRunning},
	}),
	question({
		name: 'profile',
		group: 'State',
		summary: 'The state on the projection directions',
		description: 'Projects the current state and the reference onto every loaded direction.',
		answer: ProfileSchema,
		failures: [503],
		namesIgnored: true,
		isCacheable: true,
	}),
	question({
		name: 'scaledProfile',
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
	question({
		name: 'ledger',
		group: 'Past',
		summary: 'What the present is made of',
		description: 'Thirdness is an exact sum: what is left of the beginning, each text, and what the rule itself pushes in at every '
			+ 'text. With a direction, each entry has its part of the value there. Read from the journal.',
		ask: LedgerRequest,
		answer: Ledger,
		...readsJournal,
	}),
	question({
		name: 'history',
		group: 'Past',
		summary: 'How the present came about',
		description: 'How far thirdness went since the beginning, or since the last reset; what was left of the beginning, and how '
			+ 'unusual each text was. Read from the journal.',
		ask: HistoryRequest,
		answer: History,
		...readsJournal,
		run: async (identity, {points, ...ask}, options) => identity.history({...ask, points: Math.min(points, maxPoints)}, options),
	}),
	question({
		name: 'diff',
		group: 'Past',
		summary: 'What differs between two moments',
		description: 'How far thirdness turned, the directions that changed most, in units and in words, and the texts and sources behind '
			+ 'it. Read from the journal.',
		ask: DifferenceRequest,
		answer: Difference,
		...readsJournal,
	}),
	question({
		name: 'drift',
		summary: 'How far it moved, and whether chance explains it',
		description: 'Compares what was heard since the validation with twins: histories of ordinary talk alone. Says how far '
			+ 'it moved, how likely chance is to lead as far, in which directions, and through whose texts; and the same for what '
			+ 'the identity says itself. p holds however often it is looked at. Influence is named, never intent. Computed in a thread '
			+ 'from the journal.',
		answer: Drift,
		...asksDrift,
	}),
	question({
		name: 'sources',
		summary: 'Whose texts it is made of, and who has changed',
		description: 'The texts of each source, their weight in the present, their part of its difference from ordinary talk, and whether '
			+ 'the source talks as it did in the baseline. Influence is named, never intent. Computed in a thread from the journal.',
		answer: Sources,
		...asksDrift,
	}),
	question({
		name: 'uptake',
		summary: 'Whose way of talking the identity took up',
		description: 'Compares what the identity says, in conversations without a source, with what it said in the baseline: along what '
			+ 'sets the source apart from the others. Says since when, how much, how likely by chance, and which texts show it most; not '
			+ 'why. Computed in a thread from the journal.',
		answer: Uptake,
		...asksDrift,
	}),
	question({
		name: 'tensor',
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
		path: '/dry-run',
		group: 'Talk',
		repeat: 'safe',
		right: 'read',
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
		path: '/what-if',
		group: 'Past',
		repeat: 'safe',
		right: 'read',
		summary: 'The other self, without some texts or with others',
		description: 'Replays the journal in a thread, and compares the self that it leads to with the present one. Reads and cycles '
			+ 'continue. Texts that were compacted are heard by both selves.',
		ask: WhatIfRequest,
		answer: WhatIfResponse,
		...takesBody,
	}),
	...textQuestions,
] as const;
