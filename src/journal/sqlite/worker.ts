/**
 * The journal's thread: opens the file, answers one request after another, and compacts in
 * small steps while nobody asks. After a failure it frees the file and waits to be ended, as it
 * does when it is closed. Its other end is `writer-thread.ts`.
 */
import {parentPort, workerData} from 'node:worker_threads';
import {JournalError, reasonOf} from '../../errors.ts';
import type {Answer, Notice, Request, WorkerTask} from './thread-messages.ts';
import type {LogPosition} from './write-ahead-log.ts';
import {JournalWriter} from './writer.ts';

const port = parentPort!;
const {folder, compaction, cutAt} = workerData as WorkerTask;

const say = (message: Answer | Notice): void => {
	port.postMessage(message);
};

const notice = (what: string, error: unknown): void => {
	say({type: 'notice', message: `${what}: ${reasonOf(error)}`});
};

const fail = (error: unknown, uncut: LogPosition | null): void => {
	const {retryable} = error instanceof JournalError ? error : {retryable: false};
	const {cause} = error as Error;
	say({type: 'failed', message: reasonOf(error), retryable, cause: cause === undefined ? null : reasonOf(cause), uncut});
};

const serve = (writer: JournalWriter): void => {
	let compacting = compaction !== null;
	let resting: NodeJS.Immediate | undefined;

	/** The next step comes after whatever request has arrived by then. */
	const rest = (): void => {
		if (compacting) {
			resting ??= setImmediate(step);
		}
	};

	const step = (): void => {
		resting = undefined;
		try {
			if (writer.compact(compaction!)) {
				rest();
			}
		} catch (error) {
			if (writer.uncut) {
				end();
				fail(error, writer.uncut);
				return;
			}

			compacting = false;
			notice('Compaction stopped until the journal is opened again', error);
		}
	};

	const end = (): void => {
		clearImmediate(resting);
		compacting = false;
		try {
			writer.close();
		} catch (error) {
			notice('The journal\'s file was not closed properly, which the next start makes good', error);
		}
	};

	const answer = (request: Request): void => {
		switch (request.type) {
			case 'begin': {
				writer.begin(request.genesis);
				break;
			}

			case 'append': {
				writer.append(request.rows);
				try {
					writer.note();
				} catch (error) {
					notice('The newest record is durable, but journal.mark could not note it', error);
				}

				break;
			}

			case 'close': {
				end();
				break;
			}
		}
	};

	port.on('message', (request: Request) => {
		try {
			answer(request);
			say({type: 'done'});
			rest();
		} catch (error) {
			end();
			fail(error, writer.uncut);
		}
	});
	say({type: 'opened', kept: writer.kept});
	rest();
};

try {
	serve(new JournalWriter(folder, cutAt));
} catch (error) {
	fail(error, cutAt);
}
