/**
 * A draft folder, beside a journal or a file, in which a command prepares its replacement. A lock admits one command at a time; a
 * second would delete what the first has verified. The operating system releases the lock when the process ends.
 * Forgetting a text must reach the drafts that killed commands and services left in DATA_DIR, too.
 */
import {existsSync, readdirSync, rmSync, statSync} from 'node:fs';
import {rm} from 'node:fs/promises';
import path from 'node:path';
import type {DatabaseSync} from 'node:sqlite';
import {databasePath} from '../journal/sqlite/database.ts';
import {ConfigurationError, reasonOf} from '../platform/errors.ts';
import {ifExists, makeFolder} from '../platform/files/folders.ts';
import {classifyFailure} from '../platform/sqlite/failure.ts';
import {openToWrite} from '../platform/sqlite/open-database.ts';
import type {ForgotThere} from '../sources/forget-texts.ts';
import {toJournalsFolder} from './options.ts';
import type {Settings} from './settings.ts';

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

/** A draft that is being written changes more often than this. */
const maxRestMs = 3_600_000;

/**
 * A service creates identities and backups in an exclusive folder, where anything older than this process was left by another one.
 * The drafts of `restore`, `reembed` and `move` are beside their targets, and another command may still be writing them.
 */
const draftsIn = (settings: Settings): Array<{draft: string; latest: number}> => {
	const journals = toJournalsFolder(settings);
	const begun = path.join(journals, '.begun');
	const rested = Date.now() - maxRestMs;
	return [settings.DATA_DIR, journals, begun].flatMap(folder => (ifExists(() => readdirSync(folder)) ?? [])
		.filter(name => folder === begun || name.endsWith('~new'))
		.map(name => ({draft: path.join(folder, name), latest: folder === begun ? Math.max(rested, performance.timeOrigin) : rested})))
		.filter(({draft}) => existsSync(databasePath(draft)));
};

const lastChangeOf = (draft: string): number => Math.max(...[draft, databasePath(draft)]
	.map(file => ifExists(() => statSync(file).mtimeMs) ?? 0));

/** Removes the drafts that no program is writing any more, and names the others. */
export const removeLeftDrafts = (settings: Settings): ForgotThere => {
	const drafts = draftsIn(settings).map(({draft, latest}) => ({draft, isLeft: lastChangeOf(draft) < latest}));
	const left = drafts.filter(({isLeft}) => isLeft);
	for (const {draft} of left) {
		rmSync(draft, {recursive: true, force: true});
	}

	return {
		removed: left.map(({draft}) => `${draft}, a copy of a journal, left by a program that was killed.`),
		unreached: drafts.filter(({isLeft}) => !isLeft).map(({draft}) =>
			`${draft}, a copy of a journal. A program is making it; if that program was killed, delete the copy.`),
	};
};
