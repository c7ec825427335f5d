/** Scenarios to kill at each write: decisions about texts, each of which is done as a whole or not begun. */
import {isDeepStrictEqual} from 'node:util';
import {cp, readdir, readFile} from 'node:fs/promises';
import path from 'node:path';
import {JournalReader} from '../../src/journal/sqlite/journal-reader.ts';
import {ringInFile} from '../../src/journal/sqlite/key-file.ts';
import {createSqliteJournal, type SqliteJournalOptions} from '../../src/journal/sqlite/sqlite-journal.ts';
import {openSqliteRows} from '../../src/journal/sqlite/sqlite-rows.ts';
import {JournalWriter} from '../../src/journal/sqlite/writer.ts';
import type {StateTensor} from '../../src/kernel/state-tensor.ts';
import {replay} from '../helpers/replay.ts';
import {startReplay} from '../../src/instruments/replay.ts';
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

/** A journal with keys, in a folder. */
export const withKeys = (folder: string) => ({folder: path.join(folder, 'journal'), keys: {file: path.join(folder, 'keys', 'its.keys')}});

/** Texts of other sources, whose keys are made with them. */
export const saidWithKeys = ['eva', 'carl', 'eva'].map((source, i) => ({source, id: `sealed-${i}`, content: `What ${source} says, ${i}.`}));

const sayAll = async (folder: string, options: SqliteJournalOptions = {folder: path.join(folder, 'journal')}): Promise<void> => {
	const {identity} = await startIdentity({journal: createSqliteJournal(options)});
	for (const [i, source] of saidBy.entries()) {
		await identity.cycle({content: saidAt(i), source});
	}

	await identity.dispose();
};

/** What the journal has after a start: the kinds of its records, the number of held texts, and whether its state is that of a history. */
const open = async (folder: string) => {
	const place = path.join(folder, 'journal');
	new JournalWriter(place).close();
	using reader = new JournalReader(place);
	const {genesis: {initial}, current} = reader;
	return {
		kinds: (await recordsIn(place)).map(({kind}) => kind),
		waiting: (await reader.held(0, 100)).length,
		isStateOf: (heard: readonly string[]) => isStateAfter(heard, initial, current),
	};
};

const isStateAfter = (heard: readonly string[], initial: StateTensor, current: StateTensor): boolean => {
	const rules = {kernel: selectKernel(), authority: minimalAuthority, initial, reference: initial};
	const texts = heard.map(content => ({kind: 'cycle' as const, timestamp: '', vector: vectorOf(content)}));
	return isDeepStrictEqual(current.rows, replay(rules, startReplay(rules), texts).state.rows);
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

/** A revision with a hold, texts that are held by it, and their release, one after another. */
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

/** Opens the journal with its keys, as the next start does. */
const openWithKeys = async (folder: string) => {
	const options = withKeys(folder);
	const journal = createSqliteJournal(options);
	await journal.open();
	await journal.close();
	using reader = new JournalReader(options.folder, {keyFile: options.keys.file});
	const {genesis: {initial}, current} = reader;
	const records = (await reader.read(1, 100)).map(({record}) => record);
	return {records, isStateOf: (heard: readonly string[]) => isStateAfter(heard, initial, current)};
};

const examineForgettingWithKeys = async (folder: string): Promise<string | null> => {
	const {records, isStateOf} = await openWithKeys(folder);
	const isDone = records.some(({kind}) => kind === 'forgotten');
	if ((await acknowledgedIn(folder)).includes('forgotten') && !isDone) {
		return 'it was acknowledged, and is not done';
	}

	if (!isStateOf(heardWithout(isDone))) {
		return 'it is half done';
	}

	const {replacement} = ringInFile(withKeys(folder).keys.file);
	const opened = await readableRows(path.join(folder, 'copy'), withKeys(folder).keys.file);
	const expected = saidBy.filter(source => !isDone || source !== 'viktor').length;
	return replacement || opened !== expected ? `${opened} of ${expected} texts of the copy can be read` : null;
};

/** The number of texts in a copy that the keys open. */
const readableRows = async (folder: string, keyFile: string): Promise<number> => {
	await using rows = openSqliteRows(folder);
	const ring = ringInFile(keyFile);
	return (await rows.read(1, 100)).filter(({kind, vector}) => kind === 'cycle' && vector && ring.opens(vector)).length;
};

const examineSayingWithKeys = async (folder: string): Promise<string | null> => {
	const {records, isStateOf} = await openWithKeys(folder);
	const heard = records.flatMap(record => record.kind === 'cycle' ? [record.content] : []);
	const least = saidBy.length + (await acknowledgedIn(folder)).length;
	return heard.length >= least && isStateOf(heard) ? null : `${heard.length} texts of ${least} are there, or the state differs`;
};

const sayAllWithKeys = async (folder: string): Promise<void> => {
	await sayAll(folder, withKeys(folder));
	await cp(path.join(folder, 'journal'), path.join(folder, 'copy'), {recursive: true});
};

const scenario = (
	name: string, step: string, examine: Scenario['examine'], prepare = async (folder: string) => sayAll(folder),
): Scenario => ({
	name,
	prepare,
	run: async (folder, environment) => runStep(step, folder, environment),
	examine: async folder => examine(folder).catch((error: unknown) => `refused: ${reasonOf(error)}`.replaceAll(folder, '')),
});

export const decisionScenarios = {
	forgetting: scenario('forgetting a source', 'forget', examineForgetting),
	forgettingWithKeys: scenario('forgetting a source that has a key', 'forget with keys', examineForgettingWithKeys, sayAllWithKeys),
	sayingWithKeys: scenario('texts of new sources, which get keys', 'say with keys', examineSayingWithKeys, sayAllWithKeys),
	holding: scenario('holding a source, and releasing its texts', 'hold', examineHolding),
};
