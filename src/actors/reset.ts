/** A reset restores the initial state in its turn; readers see it when it is durable. */
import type {ResetRecord} from '../journal/journal.ts';
import {timestampOf} from '../platform/clock.ts';
import type {WorkingState} from '../semiosis/run-cycle.ts';
import type {MachineDeps} from './deps.ts';
import {checkpointOf} from './tally.ts';
import {noCycles} from './trigger.ts';
import type {TurnContext, TurnInput, TurnKind, TurnOutcome, TurnReport} from './turn-machine.ts';

/** What a reset is created with: what it restores. */
export type ResetInput = TurnInput & {restored: WorkingState};

type ResetContext = TurnContext & ResetInput & {outcome?: TurnOutcome & {record: ResetRecord}};

export type ResetReport = TurnReport<'reset', ResetContext>;

/** The kind of turn that a reset is. The jump back is no drift; the last trigger stays as it is. */
export const resetKind = ({time}: Pick<MachineDeps, 'time'>): TurnKind<ResetContext> => ({
	name: 'reset',
	prepare: [],
	inTurn: [{
		name: 'restoring',
		compute({order: {id}, restored, turn}) {
			const tally = {...turn!.tally, counters: noCycles};
			const record: ResetRecord = {kind: 'reset', id, timestamp: timestampOf(time), checkpoint: checkpointOf(tally, 0)};
			return {outcome: {turn: {...turn!, ...restored, tally}, record}};
		},
	}],
});
