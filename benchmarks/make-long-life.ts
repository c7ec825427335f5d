/** A long history in a journal, for benchmarks: six people talk in visits, each text is answered, and there is an early validation. */
import {replay} from '../test/helpers/replay.ts';
import {startReplay} from '../src/instruments/replay.ts';
import {findChance} from '../src/instruments/drift/ordinary.ts';
import {sizeOf} from '../src/instruments/drift/baseline.ts';
import {usualWeight} from '../src/instruments/drift/observation.ts';
import {defaultHorizon} from '../src/instruments/drift/paths.ts';
import {mulberry32} from '../src/platform/clock.ts';
import type {CycleRecord} from '../src/journal/journal.ts';
import {createSqliteJournal} from '../src/journal/sqlite/sqlite-journal.ts';
import {normalise} from '../src/kernel/normalise.ts';
import {selectKernel} from '../src/kernel/select.ts';
import {minimalAuthority, proposalsOf} from '../src/semiosis/fixation.ts';
import {randomState} from '../src/semiosis/initial-state.ts';
import {startTalk} from '../test/instruments/simulated-talk.ts';
import {cycle} from '../test/journal/records.ts';

export const passport = {model: 'fake', width: 512, pooling: 'none', prefix: '', dtype: 'q8'};

const beginsAt = Date.UTC(2026, 0, 1);

/** The number of texts before the validation. */
const validatedAt = 2000;

/** Writes a history of so many texts, with a validation. @returns its initial state, and when it ends */
export const makeLongLife = async (folder: string, texts: number) => {
	const random = mulberry32(1);
	const talk = startTalk(random, {width: 512});
	const initial = randomState(random, new Date(beginsAt).toISOString());
	const rules = {kernel: selectKernel(), authority: minimalAuthority, reference: initial, initial};
	const journal = createSqliteJournal({folder});
	await journal.open();
	await journal.begin({initial, reference: initial, passport, isRandom: true});
	let [working, said, time] = [startReplay(rules), 0, beginsAt];
	const baseline = [];
	while (said < texts) {
		const heard = talk.texts(500).flatMap(text => {
			const answer = {...text, id: `${text.id} answered`, time: text.time + 1000, source: 'self', isOwn: true};
			return [text, {...answer, vector: normalise(text.vector.map((value, i) => value + (i < 512 ? (random() - 0.5) / 20 : 0)))}];
		}).slice(0, texts - said);
		const appended: Array<Promise<void>> = [];
		const inputs = heard.map((text, i) => {
			const timestamp = new Date(beginsAt + text.time).toISOString();
			return {...cycle(said + i + 1), id: text.id, timestamp, metadata: {source: text.source}, vector: text.vector, corroborating: null, proposals: undefined};
		});
		working = replay(rules, working, inputs, ({state, measures, vigilance, fixation}, text) => {
			const {corroborating: _, ...record} = text;
			appended.push(journal.append({
				...record, ...measures, proposals: proposalsOf(fixation), stateId: state.stateId, thirdness: state.row('thirdness'),
				checkpoint: {...record.checkpoint, cumulativeDrift: vigilance.report.cumulativeDrift},
			} satisfies CycleRecord));
		});
		await Promise.all(appended);
		said += heard.length;
		time = beginsAt + heard.at(-1)!.time;
		baseline.push(...said <= validatedAt ? heard : []);
		if (said === validatedAt) {
			const found = baseline.slice(-1200).map(text => ({...text, time: beginsAt + text.time}));
			const {stateId, timestamp} = working.state;
			await journal.append({
				kind: 'validation', id: 'validated', timestamp: new Date(time + 1).toISOString(), note: 'As it should be.', stateId,
				anchor: {timestamp, thirdness: working.state.row('thirdness').slice()}, texts: found,
				baseline: {...sizeOf(found), sources: 7, from: new Date(found[0]!.time).toISOString()},
				chance: findChance(found, {seed: said + 1, horizon: defaultHorizon, weight: usualWeight}),
			});
		}
	}

	await journal.close();
	return {initial, time};
};
