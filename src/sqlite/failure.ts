/** What a failure to open, read or write a SQLite file means, whatever the file is for. */

export type SqliteFailure =
	| 'busy'
	| 'forbidden'
	/** No room on the disk, or none within the quota. */
	| 'full'
	/** The disk answered with an error. */
	| 'disk'
	/** Tables or columns are missing, or a statement does not fit them. */
	| 'other tables'
	| 'damaged'
	| 'not a database'
	/** A number that JavaScript cannot hold exactly. */
	| 'out of range'
	/** A file has the name of the folder. */
	| 'file in the way'
	/** A part of the folder's path is a file. */
	| 'path through a file';

/** By SQLite's result codes, https://sqlite.org/rescode.html: primary ones, and extended ones that tell more. */
const bySqlite: Record<number, SqliteFailure> = {
	1: 'other tables',
	3: 'forbidden',
	5: 'busy',
	8: 'forbidden',
	10: 'disk',
	11: 'damaged',
	13: 'full',
	14: 'forbidden',
	26: 'not a database',
	// Reading a write-ahead log needs a small index file beside it, which did not fit.
	4874: 'full',
};

/** By the error codes of the file system and of Node. */
const byCode: Record<string, SqliteFailure> = {
	ENOSPC: 'full',
	EDQUOT: 'full',
	EACCES: 'forbidden',
	EPERM: 'forbidden',
	EROFS: 'forbidden',
	// What Node says of a folder that cannot be made on a read-only file system.
	ENOENT: 'forbidden',
	ERR_OUT_OF_RANGE: 'out of range',
	EEXIST: 'file in the way',
	ENOTDIR: 'path through a file',
};

/** The meaning of what was thrown; null where it is none of those. */
export const classifyFailure = (error: unknown): SqliteFailure | null => {
	const {errcode, code = ''} = (error ?? {}) as {errcode?: number; code?: string};
	// The upper bits of a result code only add to it.
	return (errcode === undefined ? byCode[code] : bySqlite[errcode] ?? bySqlite[errcode & 0xff]) ?? null;
};
