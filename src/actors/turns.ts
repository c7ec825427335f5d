/**
 * The queue of turns. Cycles, resets, revisions, settlements and validations have their turns in the order of acceptance.
 *
 * A request joins the queue at acceptance. The first in the queue holds the turn: only it may change the state, while the
 * others prepare (embed, ask science). A prepared cycle runs as soon as it has its turn. So the same requests, seed and
 * clock give the same bits, whatever the latency of embeddings.
 *
 * Implementation: pure functions over immutable data, since the queue is part of the process's context.
 */
import type {CycleRecord} from '../journal/journal.ts';
import type {WorkingState} from '../semiosis/run-cycle.ts';
import type {Quarantine} from './quarantine.ts';
import {noTally, withFailure, withFailuresSince, type Tally} from './tally.ts';
import type {LastTrigger} from './trigger.ts';

/** The origin of a cycle: a caller, the daemon's loop, or an import of a text from the past. */
export type Origin = CycleRecord['origin'];

/** The state that a turn starts from, and leaves for the next one. */
export type Turn = WorkingState & {
	readonly tally: Tally;
	readonly quarantine: Quarantine;
};

/** An accepted request that has not had its turn. */
export type TurnOrder = {
	readonly id: string;
	/** The name of its actor. */
	readonly actor: string;
	/** Whether it failed while others were before it. It keeps its place in the queue, because it still counts there. */
	readonly hasFailed?: boolean;
} & (
	| {
			readonly kind: 'cycle'; readonly trigger: string; readonly origin: Origin;
			/** The trigger, if it counts at acceptance; null if it counts in its turn. */ readonly accepted: LastTrigger | null;
	  }
	| {readonly kind: 'reset' | 'validation' | 'revision' | 'settlement'; readonly accepted: null}
);

/** The queue, and the state after the last turn. */
export type TurnLine = {
	/** The queue, in the order of acceptance. */
	readonly line: readonly TurnOrder[];
	readonly latest: Turn;
	/** All failures that count, including those still in the queue. */
	readonly failed: Pick<Tally, 'failures' | 'lastTrigger'>;
};

export const startTurns = (latest: Turn): TurnLine => ({line: [], latest, failed: {failures: latest.tally.failures, lastTrigger: null}});

/** The holder of the turn; null if the queue is empty. */
export const holderOf = ({line}: TurnLine): TurnOrder | null => line[0] ?? null;

export const hasReset = ({line}: TurnLine): boolean => line.some(({kind}) => kind === 'reset');

export const accept = (turns: TurnLine, order: TurnOrder): TurnLine => ({...turns, line: [...turns.line, order]});

/** Ends the holder's turn with the state that it leaves. */
export const endTurn = ({line, failed}: TurnLine, latest: Turn): TurnLine => passFailures({line: line.slice(1), latest, failed});

/** Removes a failed or cancelled request. If it counted at acceptance, it still counts, in its place in the queue. */
export const giveUp = (turns: TurnLine, id: string): TurnLine => {
	const {line, failed} = turns;
	const index = line.findIndex(place => place.id === id);
	if (index === -1) {
		return turns;
	}

	const place = line[index]!;
	return place.accepted
		? passFailures({
			...turns,
			line: line.with(index, {...place, hasFailed: true}),
			failed: {failures: withFailure({...noTally, ...failed}, place.accepted).failures, lastTrigger: place.accepted},
		})
		: passFailures({...turns, line: line.toSpliced(index, 1)});
};

/** Empties the queue and returns to the durable state. Failures since then still count. */
export const rollBack = ({failed}: TurnLine, {state, vigilance, tally, quarantine}: Turn): TurnLine =>
	({line: [], latest: {state, vigilance, tally: withFailuresSince(tally, failed), quarantine}, failed});

/** Counts failed requests at the head of the queue, so that each record's tally depends only on the order of acceptance. */
const passFailures = (turns: TurnLine): TurnLine => {
	let {line, latest} = turns;
	for (; line[0]?.hasFailed; line = line.slice(1)) {
		latest = {...latest, tally: withFailure(latest.tally, line[0].accepted!)};
	}

	return line === turns.line ? turns : {...turns, line, latest};
};
