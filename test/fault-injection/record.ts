/** Reads the recorded file operations of a process, with their bytes, and repeats them in another folder. */
import {linkSync, mkdirSync, openSync, closeSync, renameSync, rmSync, truncateSync, writeFileSync, writeSync} from 'node:fs';
import {readFile} from 'node:fs/promises';
import path from 'node:path';
import type {Operation} from './shim.ts';

export type RecordedOperation = {
	operation: Operation;
	/** Relative to the folder. */
	file: string;
	/** The new name of a rename or a link. */
	to: string;
	/** The bytes written. */
	data: Buffer;
	/** The position; for a truncation the new size. */
	offset: number;
	/** Negative when it failed. */
	result: number;
};

/** @param under the folder that was watched */
export const readRecord = async (file: string, under: string): Promise<RecordedOperation[]> => {
	const bytes = await readFile(file);
	const operations: RecordedOperation[] = [];
	let at = 0;
	const take = (length: number): Buffer => bytes.subarray(at, at += length);
	while (at < bytes.length) {
		const header = take(32);
		const [operation, own, to, data] = [0, 4, 8, 12].map(place => header.readUInt32LE(place)) as [number, number, number, number];
		const inside = (name: string): string => name && path.relative(under, name);
		operations.push({
			result: Number(header.readBigInt64LE(16)),
			offset: Number(header.readBigInt64LE(24)),
			operation: String(take(operation)) as Operation,
			file: inside(String(take(own))),
			to: inside(String(take(to))),
			data: take(data),
		});
	}

	// Writes to a file that was removed change no folder.
	return operations.filter(each => !each.file.endsWith(' (deleted)'));
};

/** Repeats an operation, unless it had failed. A read and a sync do nothing. */
export const redo = (folder: string, {operation, file, to, data, offset, result}: RecordedOperation): void => {
	const place = path.join(folder, file);
	const target = path.join(folder, to);
	const again: Record<Operation, () => void> = {
		create: () => writeFileSync(place, '', {flag: 'a'}),
		write() {
			const descriptor = openSync(place, 'r+');
			writeSync(descriptor, data, 0, data.length, offset);
			closeSync(descriptor);
		},
		truncate: () => truncateSync(place, offset),
		read() {},
		sync() {},
		rename: () => renameSync(place, target),
		unlink: () => rmSync(place, {recursive: true}),
		link: () => linkSync(place, target),
		mkdir: () => mkdirSync(place),
		copy() {
			throw new Error('The bytes of a copy are not recorded.');
		},
	};
	if (result >= 0) {
		again[operation]();
	}
};
