/** A replay as the specification has it, to compare revisions, forgettings, what-ifs and journals with. */
import type {StoredRecord} from '../../src/journal/journal.ts';
import {startReplay, stateAfter, type ReplayRules, type ReplayText} from '../../src/instruments/replay.ts';
import {runCycle, type CycleChange, type WorkingState} from '../../src/semiosis/run-cycle.ts';

/** An input of a replay: a text, or a record of another kind. A journal's own cycles are texts too. */
export type ReplayInput = ReplayText | Exclude<StoredRecord, {kind: 'cycle'}>;

/**
 * Runs inputs in order. A reset returns to the initial state. A snapshot stands for compacted
 * records: the replay continues from its state. A revision changes nothing: the records before it have been
 * revised when they were read (`revised-records.ts`).
 *
 * @param onStep Called after each text with what its cycle changed.
 * @returns The working state after the last input.
 * @throws {ConfigurationError} when a state's id would pass the last safe integer.
 */
export const replay = <Input extends ReplayInput>(
	rules: ReplayRules,
	start: WorkingState,
	inputs: Iterable<Input>,
	onStep?: (step: CycleChange, text: Extract<Input, {kind: 'cycle'}>) => void,
): WorkingState => {
	let working = start;
	for (const input of inputs as Iterable<ReplayInput>) {
		switch (input.kind) {
			case 'cycle': {
				const step = runCycle(rules, working, input, input.timestamp);
				working = {state: step.state, vigilance: step.vigilance};
				onStep?.(step, input as Extract<Input, {kind: 'cycle'}>);
				break;
			}

			case 'reset': {
				working = startReplay(rules);
				break;
			}

			case 'snapshot': {
				working = startReplay(rules, stateAfter(rules.initial, working.state, input), input.checkpoint?.cumulativeDrift);
				break;
			}
		}
	}

	return working;
};
