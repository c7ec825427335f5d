/** A job for a thread: an instrument and its input, as data that can be sent. */
import {instruments, type AnswerOf, type InstrumentName, type QuestionOf} from '../instruments.ts';
import type {RunningInstrument} from '../instrument.ts';
import {startReplay} from '../replay.ts';
import {RevisedRecords, type RevisedReading} from '../revised-records.ts';
import type {Kernel} from '../../kernel/kernel.ts';
import type {Authority} from '../../semiosis/fixation.ts';
import {StateTensor} from '../../kernel/state-tensor.ts';

/** An instrument, its question, and the beginning of its stretch. */
export type Job<Name extends InstrumentName = InstrumentName> = {
	name: Name;
	question: QuestionOf<Name>;
	authority: Authority;
	initial: StateTensor;
	reference: StateTensor;
	from: {seq: number; state: StateTensor; cumulativeDrift: number};
	/** The revisions by which the records are read; null if they are read as recorded. */
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

/** A state loses its class when it is sent to a thread. */
const revive = ({stateId, timestamp, rows}: StateTensor): StateTensor => new StateTensor(stateId, timestamp, rows);
