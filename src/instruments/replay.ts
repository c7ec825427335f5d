/**
 * The replay: runs the cycles of a journal's records again, behind other states.
 *
 * Pure: the same rules, state and record give the same bits. Revisions and forgettings are made so, and what-ifs, forks and
 * `reembed` by the same rules of the cycle: there is no second copy of them.
 */
import {unmoved, type StoredCycle, type StoredHeld, type StoredRecord} from '../journal/journal.ts';
import {runCycle, type CycleRules, type EmbeddedText, type WorkingState} from '../semiosis/run-cycle.ts';
import {startVigilance} from '../semiosis/vigilance.ts';
import type {StateTensor} from '../kernel/state-tensor.ts';

export type ReplayRules = CycleRules & {
	/** The initial state: resets return to it, and rows that never move are its own. */
	readonly initial: StateTensor;
};

/** A text of a replay: an embedded one and its time. */
export type ReplayText = EmbeddedText & {readonly kind: 'cycle'; readonly timestamp: string};

/**
 * The working state that a replay starts from; the beginning by default.
 *
 * @param cumulativeDrift The drift so far.
 */
export const startReplay = ({kernel, initial, reference}: ReplayRules, state = initial, cumulativeDrift = 0): WorkingState =>
	({state, vigilance: startVigilance(kernel, state.rows, reference.rows, cumulativeDrift)});

/** The state after a record, by what the record keeps: no rule is run. */
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

/** What records lead to, by what they keep. */
export type Recorded = {readonly state: StateTensor; readonly cumulativeDrift: number};

/** What they lead to with the next record. */
export const recordedAfter = (initial: StateTensor, {state, cumulativeDrift}: Recorded, record: StoredRecord): Recorded => ({
	state: stateAfter(initial, state, record),
	cumulativeDrift: 'checkpoint' in record ? record.checkpoint?.cumulativeDrift ?? 0 : cumulativeDrift,
});

/** A text behind another state than it was said in: the record of its cycle there. One that was held back measures, and moves nothing. */
export const runAgain = <Text extends StoredCycle | StoredHeld>(
	rules: CycleRules, before: WorkingState, text: Text,
): {readonly record: Text; readonly working: WorkingState} => {
	const step = runCycle(rules, before, text, text.timestamp);
	const {state, vigilance} = text.kind === 'cycle' ? step : before;
	const checkpoint = {...text.checkpoint, cumulativeDrift: vigilance.report.cumulativeDrift};
	const again = {...text, ...step.measures, thirdness: state.row('thirdness'), checkpoint};
	return {record: text.kind === 'held' ? {...again, ...unmoved(vigilance.report)} : again, working: {state, vigilance}};
};
