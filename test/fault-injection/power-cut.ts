/**
 * A model of the page cache over a disk: the files that a power cut leaves at any moment of a
 * recorded run.
 *
 * Synced data is on the disk. Of the pages written since, each may be there or not.
 * A sync that fails leaves its pages clean in the cache and not on the disk, as Linux does: no
 * later sync writes them, unless they are written again. Names are on the disk at once.
 */
import {mkdirSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import type {RecordedOperation} from './record.ts';

const pageSize = 4096;

type File = {cache: Buffer; disk: Buffer; dirty: Set<number>};

export class PowerCutDisk {
	readonly #files = new Map<string, File>();

	/** The content of a file, as running processes read it. */
	cached(file: string): Buffer {
		return this.#files.get(file)?.cache ?? Buffer.alloc(0);
	}

	/** Applies an operation of the recorded process. */
	take({operation, file, to, data, offset, result}: RecordedOperation): void {
		const own = this.#files.get(file) ?? {cache: Buffer.alloc(0), disk: Buffer.alloc(0), dirty: new Set<number>()};
		if (operation === 'sync') {
			this.#sync(own, result >= 0);
			return;
		}

		if (result < 0) {
			return;
		}

		switch (operation) {
			case 'create': {
				this.#files.set(file, own);
				break;
			}

			case 'write': {
				this.#files.set(file, own);
				write(own, data, offset);
				break;
			}

			case 'truncate': {
				truncate(own, offset);
				break;
			}

			case 'rename': {
				this.#files.delete(file);
				this.#files.set(to, own);
				break;
			}

			case 'unlink': {
				this.#files.delete(file);
				break;
			}

			case 'mkdir': {
				break;
			}

			default: {
				throw new Error(`The model does not know ${operation}.`);
			}
		}
	}

	/** Writes the files that a cut leaves now. @param chance whether a page that was not synced is there */
	leave(folder: string, chance: () => boolean): void {
		for (const [file, {cache, disk, dirty}] of this.#files) {
			const isGrown = cache.length === disk.length || chance();
			const left = Buffer.alloc(isGrown ? cache.length : disk.length);
			disk.copy(left);
			for (const page of dirty) {
				if (chance()) {
					cache.copy(left, page * pageSize, page * pageSize, (page + 1) * pageSize);
				}
			}

			const place = path.join(folder, file);
			mkdirSync(path.dirname(place), {recursive: true});
			writeFileSync(place, left);
		}
	}

	#sync(file: File, hasSucceeded: boolean): void {
		if (hasSucceeded) {
			const synced = Buffer.alloc(file.cache.length);
			file.disk.copy(synced);
			for (const page of file.dirty) {
				file.cache.copy(synced, page * pageSize, page * pageSize, (page + 1) * pageSize);
			}

			file.disk = synced;
		}

		file.dirty.clear();
	}
}

const write = (file: File, data: Buffer, offset: number): void => {
	const end = offset + data.length;
	if (end > file.cache.length) {
		truncate(file, end);
	}

	data.copy(file.cache, offset);
	for (let page = Math.floor(offset / pageSize); page * pageSize < end; page++) {
		file.dirty.add(page);
	}
};

/** Cuts the file off at its new size, or fills it with zeros; the last page counts as written. */
const truncate = (file: File, size: number): void => {
	const cache = Buffer.alloc(size);
	file.cache.copy(cache);
	const from = Math.floor(Math.min(size, file.cache.length) / pageSize);
	for (let page = from; page * pageSize < size; page++) {
		file.dirty.add(page);
	}

	for (const page of file.dirty) {
		if (page * pageSize >= size) {
			file.dirty.delete(page);
		}
	}

	file.cache = cache;
};
