/**
 * The turns: cycles, resets and revisions change the state in the order in which they were accepted, and validations have theirs
 * among them.
 *
 * Each takes its place in the line at acceptance. The first in the line holds the turn: it alone may change the state,
 * and the others prepare (embed, ask science) beside it. A cycle that has prepared runs in its turn at once. So the
 * same requests, seed and clock give the same bits, whatever the latency of embeddings.
 *
 * Pure functions over immutable data: the line is part of the process's context.
 */
import type {CycleRecord} from '../journal/journal.ts';
import type {WorkingState} from '../semiosis/run-cycle.ts';
import type {Quarantine} from './quarantine.ts';
import {noTally, withFailure, withFailuresSince, type Tally} from './tally.ts';
import type {LastTrigger} from './trigger.ts';

/** Who asked for a cycle: a caller, the daemon's loop, or an import of what was said before. */
export type Origin = CycleRecord['origin'];

/** What a turn starts from, and what it leaves for the next one. */
export type Turn = WorkingState & {
	/** What was counted up to then. */
	readonly tally: Tally;
	/** Which texts are held back. */
	readonly quarantine: Quarantine;
};

/** A cycle, a reset, a validation, a revision or a settlement that was accepted and has not had its turn. */
export type TurnOrder = {
	readonly id: string;
	/** The name of its actor. */
	readonly actor: string;
	/** Whether it failed behind others. It leaves the line in its order, for what it counted counts in its place. */
	readonly hasFailed?: boolean;
} & (
	| {
			readonly kind: 'cycle'; readonly trigger: string; readonly origin: Origin;
			/** What was counted at acceptance; null where the turn counts. */ readonly accepted: LastTrigger | null;
	  }
	| {readonly kind: 'reset' | 'validation' | 'revision' | 'settlement'; readonly accepted: null}
);

/** The line, and what the last turn left. */
export type TurnLine = {
	/** In the order of acceptance. */
	readonly line: readonly TurnOrder[];
	readonly latest: Turn;
	/** All failures that count, those in the line included. */
	readonly failed: Pick<Tally, 'failures' | 'lastTrigger'>;
};

/** An empty line. */
export const startTurns = (latest: Turn): TurnLine => ({line: [], latest, failed: {failures: latest.tally.failures, lastTrigger: null}});

/** Who holds the turn. */
export const holderOf = ({line}: TurnLine): TurnOrder | null => line[0] ?? null;

export const hasReset = ({line}: TurnLine): boolean => line.some(({kind}) => kind === 'reset');

/** Gives the last place in the line. */
export const accept = (turns: TurnLine, order: TurnOrder): TurnLine => ({...turns, line: [...turns.line, order]});

/** Ends the holder's turn with what it left. */
export const endTurn = ({line, failed}: TurnLine, latest: Turn): TurnLine => passFailures({line: line.slice(1), latest, failed});

/** Ends the wait of what failed or was cancelled. What it counted at acceptance still counts, in its place. */
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

/** Empties the line and goes back to what is durable. Failures since then still count. */
export const rollBack = ({failed}: TurnLine, {state, vigilance, tally, quarantine}: Turn): TurnLine =>
	({line: [], latest: {state, vigilance, tally: withFailuresSince(tally, failed), quarantine}, failed});

/** A failure counts in its place: so the tally of every record depends on the order of acceptance alone. */
const passFailures = (turns: TurnLine): TurnLine => {
	let {line, latest} = turns;
	for (; line[0]?.hasFailed; line = line.slice(1)) {
		latest = {...latest, tally: withFailure(latest.tally, line[0].accepted!)};
	}

	return line === turns.line ? turns : {...turns, line, latest};
};
