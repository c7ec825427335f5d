/** Classifies errors of opening, reading and writing a SQLite file. The journal and the store each have a message per class. */
import {closeSync, openSync} from 'node:fs';
import {devNull} from 'node:os';

export type SqliteFailure =
	| 'busy'
	| 'forbidden'
	/** No space on the disk, or none within the quota. */
	| 'full'
	/** An input or output error of the disk. */
	| 'disk'
	/** The process, or the machine, has no descriptor left. */
	| 'too many files'
	/** Tables or columns are missing or differ. */
	| 'other tables'
	| 'damaged'
	| 'not a database'
	/** An integer beyond JavaScript's safe ones. */
	| 'out of range'
	/** A file has the folder's name. */
	| 'file in the way'
	/** A part of the folder's path is a file. */
	| 'path through a file';

/** SQLite's code for a file that cannot be opened, for whatever reason. */
const cannotOpen = 14;

/** By SQLite's result codes, https://sqlite.org/rescode.html: primary ones, and extended ones that differ in meaning. */
const bySqlite: Record<number, SqliteFailure> = {
	1: 'other tables',
	3: 'forbidden',
	5: 'busy',
	8: 'forbidden',
	10: 'disk',
	11: 'damaged',
	13: 'full',
	[cannotOpen]: 'forbidden',
	26: 'not a database',
	// SQLITE_IOERR_SHMSIZE: no space for the index file that reading a write-ahead log needs.
	4874: 'full',
};

/** By the error codes of the file system and of Node. */
const byCode: Record<string, SqliteFailure> = {
	ENOSPC: 'full',
	EDQUOT: 'full',
	EMFILE: 'too many files',
	ENFILE: 'too many files',
	EACCES: 'forbidden',
	EPERM: 'forbidden',
	EROFS: 'forbidden',
	// Node's code for a folder that cannot be made on a read-only file system.
	ENOENT: 'forbidden',
	ERR_OUT_OF_RANGE: 'out of range',
	EEXIST: 'file in the way',
	ENOTDIR: 'path through a file',
};

/** A database, its log and the log's index, and one file that the caller keeps beside them. */
const filesOfDatabase = 4;

/** Whether the process can open fewer files than a database takes. SQLite closes those that it opened before it fails. */
const isOutOfFiles = (): boolean => {
	const opened: number[] = [];
	try {
		for (let file = 0; file < filesOfDatabase; file++) {
			opened.push(openSync(devNull, 'r'));
		}

		return false;
	} catch {
		return true;
	} finally {
		opened.forEach(closeSync);
	}
};

/** The class of an error; null for an error of another kind. */
export const classifyFailure = (error: unknown): SqliteFailure | null => {
	const {errcode, code = ''} = (error ?? {}) as {errcode?: number; code?: string};
	if (errcode !== undefined && (errcode & 0xff) === cannotOpen && isOutOfFiles()) {
		return 'too many files';
	}

	// An extended code has the primary one in its lowest byte.
	return (errcode === undefined ? byCode[code] : bySqlite[errcode] ?? bySqlite[errcode & 0xff]) ?? null;
};
