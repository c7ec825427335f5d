/** A reset restores the initial state in its turn. Readers see it once it is durable. */
import type {ResetRecord} from '../journal/journal.ts';
import {timestampOf} from '../platform/clock.ts';
import type {WorkingState} from '../semiosis/run-cycle.ts';
import type {MachineDeps} from './deps.ts';
import {checkpointOf} from './tally.ts';
import {noCycles} from './trigger.ts';
import type {TurnContext, TurnInput, TurnKind} from './turn-machine.ts';

/** The input of a reset: the state to restore. */
export type ResetInput = TurnInput & {restored: WorkingState};

/** The steps of a reset. The jump back does not count as drift, and the last trigger stays. */
export const resetKind = ({time}: Pick<MachineDeps, 'time'>): TurnKind<TurnContext & ResetInput> => ({
	name: 'reset',
	inTurn: [{
		name: 'restoring',
		compute({order: {id}, restored, turn}) {
			const tally = {...turn!.tally, counters: noCycles};
			const record: ResetRecord = {kind: 'reset', id, timestamp: timestampOf(time), checkpoint: checkpointOf(tally, 0)};
			return {outcome: {turn: {...turn!, ...restored, tally}, record}};
		},
	}],
});
