/**
 * The journals' thread: opens files, answers the requests of each journal in order, and compacts
 * in small steps between requests. The main thread's side is `journal-thread.ts`.
 *
 * - A journal that fails frees its files; the others continue.
 * - Nothing of one journal keeps the others waiting for long: opening verifies a bounded number of
 *   records, a file that is locked is tried again later, and the journals compact in turn, one step
 *   each time the thread has answered what had arrived.
 */
import {setTimeout} from 'node:timers/promises';
import {JournalError, reasonOf} from '../../platform/errors.ts';
import {classifyFailure} from '../../platform/sqlite/failure.ts';
import {answerCalls, notify} from '../../platform/thread-calls.ts';
import {buffersOf} from '../record-codec.ts';
import type {Compaction} from '../journal-options.ts';
import type {RestoredRows} from '../record-storage.ts';
import type {About, Answer, Notice, Request} from './thread-messages.ts';
import {validationBuffers} from '../validation-codec.ts';
import type {LogPosition} from './write-ahead-log.ts';
import {JournalWriter} from './writer.ts';

type OpenJournal = {writer: JournalWriter; compaction: Compaction | null};

const journals = new Map<string, OpenJournal>();

/** The journals that may have something to compact, or pages in memory, in the order of their turns. */
const toMaintain = new Set<string>();
let nextStep: NodeJS.Immediate | undefined;

/** How long a file may stay locked while it is opened: longer than an inspection of it takes. */
const maxLockedMs = 500;
const lockRetryMs = 20;

const send = (folder: string, message: Notice): void => {
	notify({folder, message} satisfies About<Notice>);
};

const sendNotice = (folder: string, what: string, error: unknown): void => {
	send(folder, {type: 'notice', message: `${what}: ${reasonOf(error)}`});
};

const sendFailure = (folder: string, error: unknown, pendingCut: LogPosition | null): void => {
	const {retryable} = error instanceof JournalError ? error : {retryable: false};
	const {cause} = error as Error;
	send(folder, {type: 'failed', message: reasonOf(error), retryable, cause: cause === undefined ? null : reasonOf(cause), pendingCut});
};

/** Opens a file for writing. SQLite itself would wait for a lock with the whole thread. */
const openWriter = async (folder: string, pendingCut: LogPosition | null): Promise<JournalWriter> => {
	const deadline = performance.now() + maxLockedMs;
	for (;;) {
		try {
			return new JournalWriter(folder, pendingCut);
		} catch (error) {
			if (classifyFailure((error as Error).cause) !== 'busy' || performance.now() > deadline) {
				throw error;
			}

			await setTimeout(lockRetryMs);
		}
	}
};

const open = async (folder: string, {compaction, pendingCut}: Extract<Request, {type: 'open'}>): Promise<Answer> => {
	try {
		const writer = await openWriter(folder, pendingCut);
		journals.set(folder, {writer, compaction});
		scheduleMaintenance(folder);
		return {type: 'opened', restored: writer.restored};
	} catch (error) {
		sendFailure(folder, error, pendingCut);
		throw error;
	}
};

const restoredBuffers = ({genesis: {initial, reference}, state}: RestoredRows): ArrayBuffer[] =>
	[initial, reference, ...state ? [state.thirdness] : []].map(({buffer}) => buffer as ArrayBuffer);

const close = (folder: string, {writer}: OpenJournal): void => {
	journals.delete(folder);
	toMaintain.delete(folder);
	try {
		writer.close();
	} catch (error) {
		sendNotice(folder, 'The journal\'s file was not closed properly; the next start repairs that', error);
	}
};

const fail = (folder: string, journal: OpenJournal, error: unknown): void => {
	close(folder, journal);
	sendFailure(folder, error, journal.writer.pendingCut);
};

/** The next step runs after the requests that have arrived by then. */
const scheduleMaintenance = (folder: string): void => {
	if (journals.has(folder)) {
		toMaintain.add(folder);
		nextStep ??= setImmediate(maintainNext);
	}
};

const maintainNext = (): void => {
	nextStep = undefined;
	const [folder] = toMaintain;
	if (folder !== undefined) {
		toMaintain.delete(folder);
		maintain(folder, journals.get(folder)!);
	}

	if (toMaintain.size > 0) {
		nextStep ??= setImmediate(maintainNext);
	}
};

/** One step of compaction; after the last one the pages that were read or written are freed. */
const maintain = (folder: string, journal: OpenJournal): void => {
	try {
		if (journal.compaction && journal.writer.compact(journal.compaction)) {
			scheduleMaintenance(folder);
		} else {
			journal.writer.shrink();
		}
	} catch (error) {
		if (journal.writer.pendingCut) {
			fail(folder, journal, error);
			return;
		}

		journal.compaction = null;
		sendNotice(folder, 'Compaction stopped until the journal is opened again', error);
	}
};

const run = (folder: string, journal: OpenJournal, request: Exclude<Request, {type: 'open'} | Question>): void => {
	const {writer} = journal;
	switch (request.type) {
		case 'begin': {
			writer.begin(request.genesis);
			break;
		}

		case 'append': {
			writer.append(request.rows);
			try {
				writer.raiseHighWaterMark();
			} catch (error) {
				sendNotice(folder, 'The newest record is durable, but journal.mark could not be written', error);
			}

			break;
		}

		case 'close': {
			close(folder, journal);
			break;
		}
	}
};

type Question = Extract<Request, {type: 'read' | 'find' | 'validation'}>;

const read = (folder: string, {writer}: OpenJournal, request: Question): Answer => {
	try {
		return request.type === 'validation'
			? {type: 'validation', row: writer.readValidation()}
			: {
				type: 'rows',
				rows: request.type === 'find' ? [writer.find(request.id)].filter(row => row !== null) : writer.read(request.from, request.count),
			};
	} finally {
		scheduleMaintenance(folder);
	}
};

/** What is moved to the main thread instead of copied. */
const answerBuffers = (answer: Answer): ArrayBuffer[] => {
	switch (answer.type) {
		case 'opened': {
			return answer.restored ? restoredBuffers(answer.restored) : [];
		}

		case 'rows': {
			return answer.rows.flatMap(buffersOf);
		}

		case 'validation': {
			return answer.row ? validationBuffers(answer.row) : [];
		}

		default: {
			return [];
		}
	}
};

answerCalls(({folder, message: request}: About<Request>): Answer | Promise<Answer> => {
	if (request.type === 'open') {
		return open(folder, request);
	}

	const journal = journals.get(folder);
	if (!journal) {
		throw new JournalError('The journal is closed, or it has failed.');
	}

	// What cannot be read stops no record from being written.
	if (request.type === 'read' || request.type === 'find' || request.type === 'validation') {
		return read(folder, journal, request);
	}

	try {
		run(folder, journal, request);
	} catch (error) {
		fail(folder, journal, error);
		throw error;
	}

	scheduleMaintenance(folder);
	return {type: 'done'};
}, answerBuffers);
