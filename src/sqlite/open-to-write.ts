/** Opens a SQLite file to write it. */
import type {DatabaseSync} from 'node:sqlite';
import {makeFile} from '../files/folders.ts';
import {connect, type ConnectOptions} from './connect.ts';

/** Makes the file, readable by its owner alone, where none is. @throws SQLite's errors and those of the file system. */
export const openToWrite = (file: string, options: Omit<ConnectOptions, 'readOnly'> = {}): DatabaseSync => {
	makeFile(file);
	return connect(file, options);
};
