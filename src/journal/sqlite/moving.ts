/**
 * The mark of a journal that is being moved between its folder and a database. It exists from before the other place can have the
 * identity until one of them has given it up. Until then the folder's journal is not opened: two that diverge cannot be merged.
 */
import {readFileSync, rmSync} from 'node:fs';
import path from 'node:path';
import {JournalError} from '../../platform/errors.ts';
import {nameOf} from '../../platform/option-names.ts';
import {ifExists, syncFolder} from '../../platform/files/folders.ts';
import {writeFileAtomically} from '../../platform/files/write.ts';

/** The destination, and the token of the identity in the database. */
export type Moving = {readonly to: string; readonly life: string};

export const movingPath = (folder: string): string => path.join(folder, 'move.mark');

/** @returns null if no move is under way */
export const readMoving = (folder: string): Moving | null => {
	const text = ifExists(() => readFileSync(movingPath(folder), 'utf8'));
	const [to = '', life = ''] = text?.trim().split(' ') ?? [];
	return text === null ? null : {to, life};
};

export const markMoving = (folder: string, {to, life}: Moving): void => {
	writeFileAtomically(movingPath(folder), `${to} ${life}\n`);
};

export const endMoving = (folder: string): void => {
	rmSync(movingPath(folder), {force: true});
	syncFolder(folder);
};

/** @throws {JournalError} if the database may have the identity too */
export const requireNotMoving = (folder: string): void => {
	const moving = readMoving(folder);
	if (moving) {
		throw new JournalError(`The journal in ${folder} is being moved, or a move was interrupted, and a database may have the identity too. `
			+ `To finish the move, run “processual move NAME --to ${moving.to}” with the same ${nameOf('database.url')}. `
			+ `If that database is gone for good, remove ${movingPath(folder)}.`);
	}
};
