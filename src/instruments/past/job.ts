/** What a thread needs to run an instrument: data that can be sent. */
import {instruments, type AnswerOf, type InstrumentName, type QuestionOf} from '../instruments.ts';
import type {RunningInstrument} from '../instrument.ts';
import {startReplay} from '../replay.ts';
import {RevisedRecords, type RevisedReading} from '../revised-records.ts';
import type {Kernel} from '../../kernel/kernel.ts';
import type {Authority} from '../../semiosis/fixation.ts';
import {StateTensor} from '../../kernel/state-tensor.ts';

/** An instrument, its question, and the stretch that it is asked about. */
export type Job<Name extends InstrumentName = InstrumentName> = {
	name: Name;
	question: QuestionOf<Name>;
	authority: Authority;
	initial: StateTensor;
	reference: StateTensor;
	/** Where the stretch begins. */
	from: {seq: number; state: StateTensor; cumulativeDrift: number};
	/** By what the stretch's records are read; null where they are what they say. */
	reading?: RevisedReading | null;
};

/** Starts the job's instrument on a kernel. */
export const startJob = <Name extends InstrumentName>(
	kernel: Kernel, {name, question, authority, initial, reference, from, reading}: Job<Name>,
): RunningInstrument<AnswerOf<Name>> => {
	const rules = {kernel, authority, initial: revive(initial), reference: revive(reference)};
	const start = startReplay(rules, from.seq === 0 ? rules.initial : revive(from.state), from.cumulativeDrift);
	const running = instruments[name]({rules, seq: from.seq, start}, question as never) as RunningInstrument<AnswerOf<Name>>;
	if (!reading) {
		return running;
	}

	const records = new RevisedRecords(rules, start, reading, from.seq > 0);
	return {
		...running,
		take: entries => running.take(records.read(entries)),
	};
};

/** A state that was sent to a thread has lost its class. */
const revive = ({stateId, timestamp, rows}: StateTensor): StateTensor => new StateTensor(stateId, timestamp, rows);
