/**
 * A draft folder, beside a journal or a file, in which a command prepares its replacement. A lock admits one command at a time; a
 * second would delete what the first has verified. The operating system releases the lock when the process ends.
 */
import {rmSync} from 'node:fs';
import {rm} from 'node:fs/promises';
import type {DatabaseSync} from 'node:sqlite';
import {ConfigurationError, reasonOf} from '../platform/errors.ts';
import {makeFolder} from '../platform/files/folders.ts';
import {classifyFailure} from '../platform/sqlite/failure.ts';
import {openToWrite} from '../platform/sqlite/open-database.ts';

/**
 * Runs with an empty draft folder, and removes it at the end. A draft that a killed attempt left behind is deleted first.
 *
 * @param wayOut The beginning of the advice in the error, for example “Name a file in another folder”.
 * @throws {ConfigurationError} with that advice if the folder cannot be made; also if another command uses it
 */
export const withDraft = async <Result>(place: string, wayOut: string, work: (draft: string) => Promise<Result>): Promise<Result> => {
	const draft = `${place}~new`;
	const lockFile = `${place}~lock`;
	const lock = holdDraft(place, draft, {lockFile, wayOut});
	try {
		return await work(draft);
	} finally {
		await rm(draft, {recursive: true, force: true});
		rmSync(lockFile, {force: true});
		lock.close();
	}
};

/** The lock is a separate file, because the draft may be renamed to the journal's name before the work ends. */
const holdDraft = (place: string, draft: string, {lockFile, wayOut}: {lockFile: string; wayOut: string}): DatabaseSync => {
	let lock: DatabaseSync | undefined;
	try {
		makeFolder(draft);
		lock = openToWrite(lockFile, {busyTimeoutMs: 0, pragmas: 'pragma journal_mode = memory;'});
		lock.exec('begin exclusive');
		rmSync(draft, {recursive: true});
		makeFolder(draft);
		return lock;
	} catch (error) {
		lock?.close();
		throw new ConfigurationError(classifyFailure(error) === 'busy'
			? `${draft} is in use: another command is writing ${place}. Wait until it has finished.`
			: `${place} cannot be written: ${reasonOf(error)}. ${wayOut} that this process may write to and that has space.`, {cause: error});
	}
};
