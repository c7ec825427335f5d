/** Scenarios to kill at each write: the first start of a journal, appending, and compaction. */
import {isDeepStrictEqual} from 'node:util';
import path from 'node:path';
import {reasonOf} from '../../src/platform/errors.ts';
import {whileOpen} from '../../src/host/beginning.ts';
import {openJournals} from '../../src/journal/sqlite/journals.ts';
import {JournalReader} from '../../src/journal/sqlite/journal-reader.ts';
import {encodeGenesis, encodeRecords} from '../../src/journal/record-codec.ts';
import {createSqliteJournal} from '../../src/journal/sqlite/sqlite-journal.ts';
import {JournalWriter} from '../../src/journal/sqlite/writer.ts';
import {asStored, bitsOf, genesis, range, recordOf, recordsIn, stateOf, validationUpTo} from '../journal/records.ts';
import {acknowledgedIn, runStep} from './acknowledged.ts';
import {decisionScenarios} from './decision-scenarios.ts';
import type {Scenario} from './kill-points.ts';

const fill = async (folder: string, count: number): Promise<void> => {
	const journal = createSqliteJournal({folder: path.join(folder, 'journal')});
	await journal.open();
	await journal.begin(genesis);
	await Promise.all(range(1, count).map(async seq => journal.append(recordOf(seq))));
	await journal.close();
};

/**
 * Opens the journal, appends, and compares its records with those written. Without the journal's thread, whose
 * start takes longer than all the rest.
 */
const examine = async (folder: string, before: number): Promise<string | null> => {
	const place = path.join(folder, 'journal');
	const acknowledged = await acknowledgedIn(folder);
	try {
		const records = appendNext(place);
		const least = Math.max(before, ...acknowledged.map(Number).filter(Boolean));
		if (records === null ? before > 0 || acknowledged.length > 0 : records < least) {
			return `record ${least} was acknowledged, and ${records ?? 'no genesis'} is there`;
		}

		const next = (records ?? 0) + 1;
		using reader = new JournalReader(place);
		if (reader.records !== next
			|| !isDeepStrictEqual([reader.genesis.initial, reader.stateAfter(next)].map(bitsOf), [genesis.initial, stateOf(next)].map(bitsOf))) {
			return 'its genesis or its state differs';
		}

		if (!isDeepStrictEqual(await reader.validation(), validationUpTo(next))) {
			return 'its validation differs';
		}

		const kept = (await recordsIn(place)).filter(({kind}) => kind !== 'snapshot');
		return isDeepStrictEqual(kept, range(next - kept.length + 1, next).map(seq => asStored(recordOf(seq)))) ? null : 'its records differ';
	} catch (error) {
		return `refused: ${reasonOf(error)}`.replaceAll(folder, '');
	}
};

/** Begins a journal if there is none, and appends a record. @returns how many records there were; null without a genesis */
const appendNext = (place: string): number | null => {
	using writer = new JournalWriter(place);
	if (!writer.restored) {
		writer.begin(encodeGenesis(genesis));
	}

	writer.append(encodeRecords(recordOf((writer.restored?.records ?? 0) + 1), 'text'));
	writer.raiseHighWaterMark();
	return writer.restored && writer.restored.records;
};

/** A listed journal has begun; one that is not listed can be created. */
const examineCreation = async (folder: string): Promise<string | null> => {
	const acknowledged = await acknowledgedIn(folder);
	await using journals = openJournals({folder: path.join(folder, 'journals')});
	const listed = await journals.list();
	if (acknowledged.includes('created') && !listed.includes('ada')) {
		return 'it was acknowledged, and is not listed';
	}

	try {
		if (listed.length === 0) {
			await journals.create('ada', async journal => whileOpen(journal, async () => journal.begin(genesis)));
		}

		const journal = journals.for('ada');
		return await journal.open() ? null : 'it is listed, and has not begun';
	} catch (error) {
		return `refused: ${reasonOf(error)}`.replaceAll(folder, '');
	}
};

const scenario = (name: string, step: string, before: number, prepare: Scenario['prepare']): Scenario => ({
	name,
	prepare,
	run: async (folder, environment) => runStep(step, folder, environment),
	examine: async folder => examine(folder, before),
});

/** By name; each number is that of the records before the run. */
export const journalScenarios = {
	firstStart: scenario('first start of a journal', 'begin', 0, async () => {}),
	creation: {
		name: 'creation of a journal among others',
		prepare: async () => {},
		run: async (folder, environment) => runStep('create', folder, environment),
		examine: examineCreation,
	},
	append: scenario('appending, a validation among others', 'append', 24, async folder => fill(folder, 24)),
	compaction: scenario('compaction', 'compact', 40, async folder => fill(folder, 40)),
	...decisionScenarios,
} satisfies Record<string, Scenario>;
