/**
 * The cycle machine: one text's way into the state. An actor each; it ends when its parent stops it.
 *
 * embedding → dissonance → fixation → applying → recording → done, or failed. Where science has a
 * source, it is asked for what corroborates the text after the embedding: it knows the text's vector
 * alone, not the state, so it may be asked before the turn.
 *
 * Embeddings of many cycles run side by side. A cycle that is prepared before its turn waits in
 * `queued`. From dissonance to applying it passes in one macrostep, which nothing can interrupt: that
 * is its turn, and why cycles are strictly sequential on the state without any lock.
 *
 * The next cycle must not append before this one has, and entry actions run before an invoked actor
 * starts. So the parent learns of the turn's end by an event that is raised in `recording`: it is
 * processed after the append has started.
 *
 * The ends are no final states: XState remembers the transitions of every type of event that a machine
 * met, and a parent of ever new children would meet ever new `xstate.done.actor.<id>`.
 */
import {assign, fromPromise, raise, sendParent, setup, type ActorRefFrom} from 'xstate';
import type {Embedding} from '../embedding/encoder.ts';
import {sourceOf} from '../instruments/source-of.ts';
import type {EmbeddedText} from '../semiosis/run-cycle.ts';
import {applyFixation, corroborate, decideFixation, embed, endStep, measureDissonance, startCycle, takeCorroborating, takeEmbedding, takeSeq, type CycleContext, type CycleDeps} from './cycle-actions.ts';
import type {CycleEvent, CycleInput, CycleReport, CycleStep, TurnOverdue} from './cycle-events.ts';
import {recordTo} from './recording.ts';
import type {Turn} from './turns.ts';

/** Milliseconds that a cycle or a reset waits for the holder of the turn: more than every retry of an embedding server takes, by default. */
export const turnTimeoutMs = 600_000;

/** The transition of a failure, which ends its step. */
const failsIn = (step: CycleStep) => ({
	target: 'failed',
	actions: {type: 'takeError', params: ({event: {error}}: {event: {error: unknown}}) => ({step, error})},
} as const);

/** Before its turn, a cycle may be cancelled or fail at any moment. */
const abandonedIn = (step: CycleStep) => ({cancel: 'cancelled', fail: failsIn(step)} as const);

/** Takes one text into the state; tells its parent a {@link CycleReport}. */
export const createCycleMachine = (deps: CycleDeps) => setup({
	types: {
		context: {} as CycleContext,
		input: {} as CycleInput,
		events: {} as CycleEvent,
	},
	actors: {
		embed: fromPromise<Embedding, {content: string; source: string}>(({input: {content, source}, signal}) => embed(content, deps.encoder, signal, {source})),
		corroborate: fromPromise<EmbeddedText['corroborating'], EmbeddedText>(async ({input: {vector}, signal}) => corroborate(deps.corroborate!, vector, signal)),
		record: recordTo(deps.journal),
	},
	guards: {
		hasScience: () => deps.corroborate !== null,
		hasJournal: () => deps.journal !== null,
		hasTurn: ({context}) => context.turn !== null,
	},
	delays: {turnTimeoutMs},
	actions: {
		takeTurn: assign((_, {state, vigilance, tally}: Turn) => ({turn: {state, vigilance, tally}})),
		takeEmbedding: assign(({context}, embedding: Embedding) => takeEmbedding(context, embedding, deps.time)),
		takeCorroborating: assign(({context}, vectors: EmbeddedText['corroborating']) => takeCorroborating(context, vectors, deps.time)),
		measureDissonance: assign(({context}) => measureDissonance(context, deps)),
		decideFixation: assign(({context}) => decideFixation(context, deps)),
		applyFixation: assign(({context}) => applyFixation(context, deps)),
		takeError: assign(({context}, {step, error}: {step: CycleStep; error: unknown}) => ({error, ...endStep(context, step, deps.time)})),
		endStep: assign(({context}, step: CycleStep) => endStep(context, step, deps.time)),
		takeSeq: assign(({context}, seq: number) => takeSeq(context, seq, deps.time)),
		reportOverdue: sendParent({type: 'turn.overdue'} satisfies TurnOverdue),
		reportApplied: sendParent(({context: {order: {id}, outcome}}): CycleReport => ({type: 'cycle.applied', id, turn: outcome!.turn})),
		reportRecorded: sendParent(({context: {order, acceptedAt, outcome, steps, tokenReport}}): CycleReport =>
			({type: 'cycle.recorded', id: order.id, order, outcome: outcome!, processingTimeMs: deps.time.elapsed() - acceptedAt, steps, tokenReport})),
		reportFailed: sendParent(({context: {order, error, steps}}): CycleReport => ({type: 'cycle.failed', id: order.id, order, error, steps})),
		reportCancelled: sendParent(({context: {order}}): CycleReport => ({type: 'cycle.cancelled', id: order.id, order})),
	},
}).createMachine({
	id: 'cycle',
	context: ({input}) => startCycle(input, deps.time),
	initial: 'embedding',
	on: {
		turn: {actions: {type: 'takeTurn', params: ({event}) => event}},
	},
	states: {
		embedding: {
			invoke: {
				src: 'embed',
				input: ({context: {order: {content, trigger, metadata}}}) => ({content, source: sourceOf({trigger, metadata, isHashed: false})}),
				onDone: [
					{target: 'corroborating', guard: 'hasScience', actions: {type: 'takeEmbedding', params: ({event}) => event.output}},
					{target: 'dissonance', guard: 'hasTurn', actions: {type: 'takeEmbedding', params: ({event}) => event.output}},
					{target: 'queued', actions: {type: 'takeEmbedding', params: ({event}) => event.output}},
				],
				onError: failsIn('embedding'),
			},
			on: abandonedIn('embedding'),
		},
		corroborating: {
			invoke: {
				src: 'corroborate',
				input: ({context}) => context.text!,
				onDone: [
					{target: 'dissonance', guard: 'hasTurn', actions: {type: 'takeCorroborating', params: ({event}) => event.output}},
					{target: 'queued', actions: {type: 'takeCorroborating', params: ({event}) => event.output}},
				],
				onError: failsIn('corroborating'),
			},
			on: abandonedIn('corroborating'),
		},
		queued: {
			always: {target: 'dissonance', guard: 'hasTurn', actions: {type: 'endStep', params: 'queued'}},
			after: {turnTimeoutMs: {target: 'queued', reenter: true, actions: 'reportOverdue'}},
			on: abandonedIn('queued'),
		},
		dissonance: {
			entry: 'measureDissonance',
			always: 'fixation',
		},
		fixation: {
			entry: 'decideFixation',
			always: 'applying',
		},
		applying: {
			entry: 'applyFixation',
			always: [
				{target: 'recording', guard: 'hasJournal'},
				{target: 'done'},
			],
		},
		recording: {
			entry: raise({type: 'append.started'}),
			invoke: {
				src: 'record',
				input: ({context}) => ({record: context.outcome!.record}),
				onDone: {target: 'done', actions: {type: 'takeSeq', params: ({event}) => event.output}},
				onError: failsIn('recording'),
			},
			on: {'append.started': {actions: 'reportApplied'}},
		},
		done: {entry: 'reportRecorded'},
		failed: {entry: 'reportFailed'},
		cancelled: {entry: 'reportCancelled'},
	},
});

/** A cycle that runs. */
export type CycleActor = ActorRefFrom<ReturnType<typeof createCycleMachine>>;
