/**
 * The replay runs the cycles of a journal's records again from different states.
 *
 * It is pure: the same rules, state and record give the same bits. Revisions and forgettings use it; what-ifs, forks and `reembed`
 * use the same cycle rules, of which there is only one copy.
 */
import {unmoved, type StoredCycle, type StoredHeld, type StoredRecord} from '../journal/journal.ts';
import {runCycle, type CycleRules, type EmbeddedText, type WorkingState} from '../semiosis/run-cycle.ts';
import {startVigilance} from '../semiosis/vigilance.ts';
import type {StateTensor} from '../kernel/state-tensor.ts';

export type ReplayRules = CycleRules & {
	/** The initial state, to which resets return. The rows that never move are taken from it. */
	readonly initial: StateTensor;
};

export type ReplayText = EmbeddedText & {readonly kind: 'cycle'; readonly timestamp: string};

/**
 * The working state from which a replay starts; by default the beginning.
 *
 * @param cumulativeDrift The cumulative drift so far.
 */
export const startReplay = ({kernel, initial, reference}: ReplayRules, state = initial, cumulativeDrift = 0): WorkingState =>
	({state, vigilance: startVigilance(kernel, state.rows, reference.rows, cumulativeDrift)});

/** The state after a record, read from the record without running the rules. */
export const stateAfter = (initial: StateTensor, before: StateTensor, record: StoredRecord): StateTensor => {
	switch (record.kind) {
		case 'cycle':
		case 'revision': return initial.withThirdness(record.stateId, record.timestamp, record.thirdness);
		case 'held': return initial.withThirdness(record.stateId, record.stateTimestamp, record.thirdness);
		case 'reset': return initial;
		case 'snapshot': {
			return record.state === null ? initial : initial.withThirdness(record.state.stateId, record.state.timestamp, record.state.thirdness);
		}

		default: return before;
	}
};

/** The result of records, as they keep it. */
export type Recorded = {readonly state: StateTensor; readonly cumulativeDrift: number};

export const recordedAfter = (initial: StateTensor, {state, cumulativeDrift}: Recorded, record: StoredRecord): Recorded => ({
	state: stateAfter(initial, state, record),
	cumulativeDrift: 'checkpoint' in record ? record.checkpoint?.cumulativeDrift ?? 0 : cumulativeDrift,
});

/** Runs a text again from another state. @returns its new record; a held text is measured, but does not move the state */
export const runAgain = <Text extends StoredCycle | StoredHeld>(
	rules: CycleRules, before: WorkingState, text: Text,
): {readonly record: Text; readonly working: WorkingState} => {
	const step = runCycle(rules, before, text, text.timestamp);
	const {state, vigilance} = text.kind === 'cycle' ? step : before;
	const checkpoint = {...text.checkpoint, cumulativeDrift: vigilance.report.cumulativeDrift};
	const again = {...text, ...step.measures, thirdness: state.row('thirdness'), checkpoint};
	return {record: text.kind === 'held' ? {...again, ...unmoved(vigilance.report)} : again, working: {state, vigilance}};
};
