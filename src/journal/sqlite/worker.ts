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
import {parentPort} from 'node:worker_threads';
import {JournalError, reasonOf} from '../../platform/errors.ts';
import {classifyFailure} from '../../platform/sqlite/failure.ts';
import {buffersOf} from '../record-codec.ts';
import type {Compaction} from '../journal-options.ts';
import type {RestoredRows} from '../record-storage.ts';
import type {About, Answer, Notice, Request} from './thread-messages.ts';
import {validationBuffers} from '../validation-codec.ts';
import type {LogPosition} from './write-ahead-log.ts';
import {JournalWriter} from './writer.ts';

type OpenJournal = {writer: JournalWriter; compaction: Compaction | null};

const port = parentPort!;
const journals = new Map<string, OpenJournal>();

/** The journals that may have something to compact, or pages in memory, in the order of their turns. */
const toMaintain = new Set<string>();
let nextStep: NodeJS.Immediate | undefined;

/** How long a file may stay locked while it is opened: longer than an inspection of it takes. */
const maxLockedMs = 500;
const lockRetryMs = 20;

const send = (folder: string, message: Answer | Notice, transfer: ArrayBuffer[] = []): void => {
	port.postMessage({folder, message} satisfies About<Answer | Notice>, transfer);
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

const open = async (folder: string, {compaction, pendingCut}: Extract<Request, {type: 'open'}>): Promise<void> => {
	try {
		const writer = await openWriter(folder, pendingCut);
		journals.set(folder, {writer, compaction});
		send(folder, {type: 'opened', restored: writer.restored}, writer.restored ? restoredBuffers(writer.restored) : []);
		scheduleMaintenance(folder);
	} catch (error) {
		sendFailure(folder, error, pendingCut);
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

/** What cannot be read stops no record from being written. */
const read = (folder: string, {writer}: OpenJournal, request: Question): void => {
	try {
		if (request.type === 'validation') {
			const row = writer.readValidation();
			send(folder, {type: 'validation', row}, row ? validationBuffers(row) : []);
		} else {
			const rows = request.type === 'find' ? [writer.find(request.id)].filter(row => row !== null) : writer.read(request.from, request.count);
			send(folder, {type: 'rows', rows}, rows.flatMap(buffersOf));
		}
	} catch (error) {
		send(folder, {type: 'unreadable', message: reasonOf(error)});
	}

	scheduleMaintenance(folder);
};

port.on('message', ({folder, message: request}: About<Request>) => {
	if (request.type === 'open') {
		void open(folder, request);
		return;
	}

	// A journal that has failed answers nothing more: its failure was the answer.
	const journal = journals.get(folder);
	if (!journal) {
		return;
	}

	if (request.type === 'read' || request.type === 'find' || request.type === 'validation') {
		read(folder, journal, request);
		return;
	}

	try {
		run(folder, journal, request);
		send(folder, {type: 'done'});
		scheduleMaintenance(folder);
	} catch (error) {
		fail(folder, journal, error);
	}
});
