/**
 * The folder beside a journal or a file in which a command makes what is to take its place. One command at a time has it: without
 * the lock, which the operating system ends with the process, a second one would take away what the first has verified.
 */
import {rmSync} from 'node:fs';
import {rm} from 'node:fs/promises';
import type {DatabaseSync} from 'node:sqlite';
import {ConfigurationError, reasonOf} from '../platform/errors.ts';
import {makeFolder} from '../platform/files/folders.ts';
import {classifyFailure} from '../platform/sqlite/failure.ts';
import {openToWrite} from '../platform/sqlite/open-database.ts';

/**
 * Runs with the folder, which is empty, and removes what is left of it at the end. An attempt that was killed may have left it.
 *
 * @param wayOut What else the caller may name
 * @throws {ConfigurationError} where it cannot be made, or another command works in it, with the way out
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

/** The lock is beside the folder, which may take the name of the journal before the work has ended. */
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
			? `${draft} is in use: another command writes ${place}. Wait for its end.`
			: `${place} cannot be written: ${reasonOf(error)}. ${wayOut} that this process may write and that has space.`, {cause: error});
	}
};
