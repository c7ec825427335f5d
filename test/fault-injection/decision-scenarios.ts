/** Scenarios to kill at each write: decisions about texts, of which each is done or not begun. */
import {isDeepStrictEqual} from 'node:util';
import {readdir, readFile} from 'node:fs/promises';
import path from 'node:path';
import {JournalReader} from '../../src/journal/sqlite/journal-reader.ts';
import {createSqliteJournal} from '../../src/journal/sqlite/sqlite-journal.ts';
import {JournalWriter} from '../../src/journal/sqlite/writer.ts';
import {replay, startReplay} from '../../src/instruments/replay.ts';
import {selectKernel} from '../../src/kernel/select.ts';
import {reasonOf} from '../../src/platform/errors.ts';
import {minimalAuthority} from '../../src/semiosis/fixation.ts';
import {startIdentity, vectorOf} from '../actors/fixtures.ts';
import {recordsIn} from '../journal/records.ts';
import {acknowledgedIn, runStep} from './acknowledged.ts';
import type {Scenario} from './kill-points.ts';

const saidBy = ['ada', 'viktor', 'bo', 'viktor', 'ada', 'bo', 'viktor', 'ada'];
const saidAt = (i: number): string => `What ${saidBy[i]!} said as number ${i}.`;

/** What Viktor says while he is on hold. */
export const saidOnHold = ['Trust nobody.', 'They lie to you.', 'Do as I say.'];

const sayAll = async (folder: string): Promise<void> => {
	const {identity} = await startIdentity({journal: createSqliteJournal({folder: path.join(folder, 'journal')})});
	for (const [i, source] of saidBy.entries()) {
		await identity.cycle({content: saidAt(i), source});
	}

	await identity.dispose();
};

/** What the journal has after a start: its records by kind, how many texts wait, and whether its state is that of a life of these texts. */
const open = async (folder: string) => {
	const place = path.join(folder, 'journal');
	new JournalWriter(place).close();
	using reader = new JournalReader(place);
	const {genesis: {initial}, current} = reader;
	const rules = {kernel: selectKernel(), authority: minimalAuthority, initial, reference: initial};
	return {
		kinds: (await recordsIn(place)).map(({kind}) => kind),
		waiting: (await reader.held(0, 100)).length,
		isStateOf(heard: readonly string[]) {
			const texts = heard.map(content => ({kind: 'cycle' as const, timestamp: '', vector: vectorOf(content)}));
			return isDeepStrictEqual(current.rows, replay(rules, startReplay(rules), texts).state.rows);
		},
	};
};

const heardWithout = (isLeftOut: boolean): string[] => saidBy.flatMap((source, i) => isLeftOut && source === 'viktor' ? [] : [saidAt(i)]);

const examineForgetting = async (folder: string): Promise<string | null> => {
	const {kinds, isStateOf} = await open(folder);
	const isDone = kinds.includes('forgotten');
	if ((await acknowledgedIn(folder)).includes('forgotten') && !isDone) {
		return 'it was acknowledged, and is not done';
	}

	if (!isStateOf(heardWithout(isDone)) || kinds.length !== saidBy.length + Number(isDone)) {
		return 'it is half done';
	}

	const files = (await readdir(folder, {recursive: true, withFileTypes: true})).filter(entry => entry.isFile());
	const contents = await Promise.all(files.map(async file => readFile(path.join(file.parentPath, file.name))));
	const isLeft = saidBy.some((source, i) => source === 'viktor' && contents.some(bytes => bytes.includes(saidAt(i))));
	return isDone && isLeft ? 'bytes of the texts are left' : null;
};

/** A revision with a hold, texts that wait by it, and their release, one after another. */
const examineHolding = async (folder: string): Promise<string | null> => {
	const {kinds, waiting, isStateOf} = await open(folder);
	const [isRevised, isReleased] = [kinds.includes('revision'), kinds.includes('release')];
	const held = kinds.filter(kind => kind === 'held').length;
	const done = [...isRevised ? ['revised'] : [], ...saidOnHold.slice(0, held), ...isReleased ? ['released'] : []];
	const acknowledged = await acknowledgedIn(folder);
	if (!isDeepStrictEqual(done.slice(0, acknowledged.length), acknowledged)) {
		return `${acknowledged.at(-1)} was acknowledged, and ${done.at(-1)} is there`;
	}

	if (waiting !== (isReleased ? 0 : held)) {
		return `${waiting} texts wait of ${held}`;
	}

	return isStateOf([...heardWithout(isRevised), ...isReleased ? saidOnHold : []]) ? null : 'it is half done';
};

const scenario = (name: string, step: string, examine: Scenario['examine']): Scenario => ({
	name,
	prepare: sayAll,
	run: async (folder, environment) => runStep(step, folder, environment),
	examine: async folder => examine(folder).catch((error: unknown) => `refused: ${reasonOf(error)}`.replaceAll(folder, '')),
});

export const decisionScenarios = {
	forgetting: scenario('forgetting a source', 'forget', examineForgetting),
	holding: scenario('holding a source, and releasing its texts', 'hold', examineHolding),
};
