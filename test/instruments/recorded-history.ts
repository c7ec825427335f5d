/** A history as a journal records it, made without an encoder: texts, validations and resets. */
import {unmoved, type CycleRecord, type Genesis, type Journal, type JournalEntry, type JournalRecord} from '../../src/journal/journal.ts';
import type {BaselineText} from '../../src/journal/validation.ts';
import {startReplay} from '../../src/instruments/replay.ts';
import {sizeOf} from '../../src/instruments/drift/baseline.ts';
import {usualWeight} from '../../src/instruments/drift/observation.ts';
import {findChance} from '../../src/instruments/drift/ordinary.ts';
import {defaultHorizon} from '../../src/instruments/drift/paths.ts';
import {asStored} from '../../src/journal/memory-journal.ts';
import {selectKernel} from '../../src/kernel/select.ts';
import {normalise} from '../../src/kernel/normalise.ts';
import {minimalAuthority} from '../../src/semiosis/fixation.ts';
import {runCycle} from '../../src/semiosis/run-cycle.ts';
import {StateTensor} from '../../src/kernel/state-tensor.ts';
import {mulberry32} from '../../src/platform/clock.ts';
import {startTalk} from './simulated-talk.ts';
import {unitVector} from './run-texts.ts';

const kernel = selectKernel();

/** The vector that steering repeats. */
export const steeredTo = unitVector(999, 64);

const proposals: CycleRecord['proposals'] = {
	authority: {coefficient: 0, from: 'thirdness'}, science: {coefficient: 0.05, from: 'secondness'},
};

/** The fields of a record that come from its text. */
const saidOf = ({id, source, vector, isUnread}: BaselineText) => ({
	trigger: 'user', origin: 'caller' as const, content: `text ${id}`, metadata: {source}, vector, tokenReport: isUnread ? {tokens: 3} : {},
});

/** Starts a history. The same seed and calls give the same history. */
export const startHistory = (seed: number) => {
	const random = mulberry32(seed);
	const talk = startTalk(random);
	const initial = new StateTensor(0, '1970-01-01T00:00:00.000Z', Array.from({length: 8}, (_, d) => unitVector(seed * 8 + d)));
	const rules = {kernel, authority: minimalAuthority, reference: initial, initial};
	const records: JournalRecord[] = [];
	const texts: BaselineText[] = [];
	let working = startReplay(rules);
	let time = 0;
	const checkpoint = () => ({counters: {}, lastTrigger: null, cumulativeDrift: working.vigilance.report.cumulativeDrift});

	const say = (said: readonly BaselineText[]): void => {
		for (const text of said) {
			const {id, vector} = text;
			time = Math.max(text.time, time);
			const {measures, ...after} = runCycle(rules, working, {vector, proposals}, new Date(text.time).toISOString());
			working = after;
			texts.push(text);
			const {stateId, timestamp} = after.state;
			records.push({
				kind: 'cycle', id, timestamp, ...saidOf(text), ...measures, proposals,
				stateId, thirdness: after.state.row('thirdness').slice(), checkpoint: checkpoint(),
			});
		}
	};

	const hold = (text: BaselineText): void => {
		const {stateId, timestamp: stateTimestamp} = working.state;
		const {measures} = runCycle(rules, working, {vector: text.vector, proposals}, stateTimestamp);
		records.push({
			kind: 'held', id: text.id, timestamp: new Date(text.time).toISOString(), ...saidOf(text), ...measures, ...unmoved(measures),
			proposals, stateId, stateTimestamp, thirdness: working.state.row('thirdness').slice(), checkpoint: checkpoint(), reason: 'On hold.',
		});
	};

	const history = {
		rules,
		records,
		genesis: {
			initial, reference: initial, passport: {model: 'fake', width: 1024, pooling: 'none', prefix: '', dtype: 'fp32'},
			isRandom: false,
		} satisfies Genesis,
		state: () => working.state,
		/** Ordinary talk. */
		talk(count: number) {
			say(talk.texts(count));
			return history;
		},
		/** Ordinary talk, in which each fortieth text is held. */
		guarded(count: number) {
			for (const [i, text] of talk.texts(count).entries()) {
				if (i % 40 === 39) {
					hold(text);
				} else {
					say([text]);
				}
			}

			return history;
		},
		/** Ordinary talk, in which a share of the texts of every source is unreadable to the model. */
		garbled(count: number, share: number) {
			const garbage = unitVector(888, 64);
			say(talk.texts(count).map(text => random() < share
				? {...text, isUnread: true, vector: normalise(garbage.map((value, i) => value + (i < 64 ? (random() - 0.5) * 0.2 : 0)))}
				: text));
			return history;
		},
		/** Ordinary talk, each text answered by the identity. @param steered the share of answers that repeat the steering */
		answered(count: number, steered = 0) {
			for (const text of talk.texts(count)) {
				const says = random() < steered ? steeredTo : unitVector(700 + Math.floor(random() * 5), 64);
				const vector = normalise(says.map((value, i) => value + (i < 64 ? (random() - 0.5) * 0.3 : 0)));
				say([text, {...text, id: `${text.id} answered`, source: 'self', isOwn: true, vector}]);
			}

			return history;
		},
		/** Ordinary talk, with visits of one source that says nearly the same every time. */
		steer(count: number, share: number, source = 'mallory') {
			for (let said = 0, steered = 0; said < count;) {
				const isSteered = steered < share * said;
				const visit = talk.visit().map(
					text => isSteered ? {
						...text, source, vector: normalise(steeredTo.map((value, i) => value + (i < 64 ? (random() - 0.5) * 0.2 : 0))),
					} : text,
				).slice(0, count - said);
				said += visit.length;
				steered += isSteered ? visit.length : 0;
				say(visit);
			}

			return history;
		},
		/** Validates with the newest 600 texts as the baseline. */
		validate(note = 'As it should be.') {
			const baseline = texts.slice(-600);
			const {stateId, timestamp} = working.state;
			records.push({
				kind: 'validation', id: `validation ${records.length}`, timestamp: new Date(time + 1).toISOString(), note, stateId, anchor: {
					timestamp, thirdness: working.state.row('thirdness').slice(),
				}, texts: baseline,
				baseline: {...sizeOf(baseline), sources: 6, from: new Date(baseline[0]!.time).toISOString()},
				chance: findChance(baseline, {seed: records.length + 1, horizon: defaultHorizon, weight: usualWeight}),
			});
			return history;
		},
		reset() {
			working = startReplay(rules);
			records.push({kind: 'reset', id: `reset ${records.length}`, timestamp: new Date(time + 1).toISOString(), checkpoint: checkpoint()});
			return history;
		},
		entries: (from = 0): JournalEntry[] => records.slice(from).map((record, i) => ({seq: from + i + 1, record: asStored(record)})),
		/** Writes the history into an open journal. */
		async writeTo(journal: Journal): Promise<void> {
			await journal.begin(history.genesis);
			await Promise.all(records.map(async record => journal.append(record)));
		},
	};
	return history;
};
