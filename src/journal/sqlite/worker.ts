/**
 * The journal's thread: opens the file, answers one request after another, and compacts in small
 * steps between requests. After a failure it frees the files and waits to be terminated, as after
 * `close`. The main thread's side is `writer-thread.ts`.
 */
import {parentPort, workerData} from 'node:worker_threads';
import {JournalError, reasonOf} from '../../errors.ts';
import type {Answer, Notice, Request, WorkerTask} from './thread-messages.ts';
import type {LogPosition} from './write-ahead-log.ts';
import {JournalWriter} from './writer.ts';

const port = parentPort!;
const {folder, compaction, ...task} = workerData as WorkerTask;

const send = (message: Answer | Notice): void => {
	port.postMessage(message);
};

const sendNotice = (what: string, error: unknown): void => {
	send({type: 'notice', message: `${what}: ${reasonOf(error)}`});
};

const sendFailure = (error: unknown, pendingCut: LogPosition | null): void => {
	const {retryable} = error instanceof JournalError ? error : {retryable: false};
	const {cause} = error as Error;
	send({type: 'failed', message: reasonOf(error), retryable, cause: cause === undefined ? null : reasonOf(cause), pendingCut});
};

const serve = (writer: JournalWriter): void => {
	let isCompacting = compaction !== null;
	let nextStep: NodeJS.Immediate | undefined;

	/** The next step runs after the requests that have arrived by then. */
	const scheduleCompaction = (): void => {
		if (isCompacting) {
			nextStep ??= setImmediate(compact);
		}
	};

	const compact = (): void => {
		nextStep = undefined;
		try {
			if (writer.compact(compaction!)) {
				scheduleCompaction();
			}
		} catch (error) {
			if (writer.pendingCut) {
				close();
				sendFailure(error, writer.pendingCut);
				return;
			}

			isCompacting = false;
			sendNotice('Compaction stopped until the journal is opened again', error);
		}
	};

	const close = (): void => {
		clearImmediate(nextStep);
		isCompacting = false;
		try {
			writer.close();
		} catch (error) {
			sendNotice('The journal\'s file was not closed properly; the next start repairs that', error);
		}
	};

	const run = (request: Request): void => {
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
					sendNotice('The newest record is durable, but journal.mark could not be written', error);
				}

				break;
			}

			case 'close': {
				close();
				break;
			}
		}
	};

	port.on('message', (request: Request) => {
		try {
			run(request);
			send({type: 'done'});
			scheduleCompaction();
		} catch (error) {
			close();
			sendFailure(error, writer.pendingCut);
		}
	});
	send({type: 'opened', restored: writer.restored});
	scheduleCompaction();
};

try {
	serve(new JournalWriter(folder, task.pendingCut));
} catch (error) {
	sendFailure(error, task.pendingCut);
}
