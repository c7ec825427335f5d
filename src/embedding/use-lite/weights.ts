/**
 * The model's weights in memory that all workers share. The pool reads them once, in the layout of the file.
 *
 * If the runtime has WebAssembly, it is WebAssembly memory, because its kernels compute in no other. After
 * the weights, each worker has a part for its values.
 */
import {fstatSync, readSync} from 'node:fs';
import {withFile} from '../../platform/files/folders.ts';
import {ModelLoadError, reasonOf} from '../../platform/errors.ts';
import {packageFile} from '../../platform/package-file.ts';
import {scratchBytes} from './scratch.ts';
import {plainModule} from './kernel.ts';

/** Everything that a worker needs to embed. It can be posted to a worker. */
export type SharedWeights = {
	/** Null if the runtime has no WebAssembly with SIMD. */
	memory: WebAssembly.Memory | null;
	buffer: SharedArrayBuffer;
	/** The address of each section. */
	sections: Record<string, number>;
	/** The address of the workers' parts. */
	scratchAt: number;
};

/** The start of a weights file: the offset of each section. */
export type WeightHeader = {sections: Record<string, number>};

/** The alignment of sections, in bytes. */
export const alignment = 64;

const pageBytes = 65_536;

/**
 * Reads the file directly into the shared memory: a copy would double the memory. It reads synchronously, which takes
 * 4 ms: the worker can only start afterwards, and a starting program has other work between turns of its event loop.
 *
 * @param workers The maximum number of workers that will share the weights.
 * @throws {ModelLoadError} if the file cannot be read.
 * @throws {ConfigurationError} in a bundle that cannot find it.
 */
export const loadWeights = (workers: number): SharedWeights => {
	const file = packageFile('weights/use-lite-q8.bin');
	try {
		return withFile(file, 'r', descriptor => {
			const {size} = fstatSync(descriptor);
			const {bytes, finish} = allocate(size, workers);
			for (let at = 0; at < size;) {
				const read = readSync(descriptor, bytes, at, size - at, null);
				if (read === 0) {
					throw new Error('the file is shorter than its size');
				}

				at += read;
			}

			return finish();
		});
	} catch (error) {
		throw new ModelLoadError(`The file of its weights, weights/use-lite-q8.bin, cannot be read (${reasonOf(error)}). `
			+ 'Install the package again, or deploy all of its files: a build that follows imports, such as the standalone output of Next, '
			+ 'leaves this one out (docs/library.md, under “In a bundle for Node”). In a clone, run npm run build:encoder.', {cause: error});
	}
};

/** Allocates memory for a weights file. The first page stays free, because compiled kernels may keep constants there. */
export const allocate = (size: number, workers: number): {bytes: Uint8Array; finish: () => SharedWeights} => {
	const scratchAt = Math.ceil((pageBytes + size) / alignment) * alignment;
	const pages = Math.ceil((scratchAt + workers * scratchBytes) / pageBytes);
	const memory = plainModule.isSupported ? new WebAssembly.Memory({initial: pages, maximum: pages, shared: true}) : null;
	const buffer = memory ? memory.buffer as ArrayBufferLike as SharedArrayBuffer : new SharedArrayBuffer(pages * pageBytes);
	return {
		bytes: new Uint8Array(buffer, pageBytes, size),
		finish() {
			const headerBytes = new DataView(buffer).getUint32(pageBytes, true);
			const {sections} = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, pageBytes + 4, headerBytes).slice())) as WeightHeader;
			const start = pageBytes + Math.ceil((4 + headerBytes) / alignment) * alignment;
			return {
				memory, buffer, sections: Object.fromEntries(Object.entries(sections).map(([name, offset]) => [name, start + offset])), scratchAt,
			};
		},
	};
};
