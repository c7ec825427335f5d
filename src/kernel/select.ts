/** Chooses the kernel: WebAssembly where it runs, TypeScript elsewhere or on request. */
import {ConfigurationError} from '../errors.ts';
import {createJsKernel} from './js.ts';
import type {Kernel, KernelName} from './kernel.ts';
import {runs, type Flavour} from './wasm/module.ts';
import {createWasmKernel} from './wasm/kernel.ts';

const needs: Record<Flavour, string> = {simd: 'SIMD', relaxed: 'relaxed SIMD'};

/**
 * A kernel of its own for each call: kernels keep copies of what they have seen.
 *
 * `auto` never takes relaxed SIMD, whose last bits differ from host to host: a journal could not
 * be run again elsewhere to the same bits.
 *
 * @throws {ConfigurationError} when a WebAssembly kernel is asked for and the runtime lacks what it needs.
 *
 * @example
 * ```ts
 * import {selectKernel} from 'processual-state/kernel';
 *
 * const kernel = selectKernel();
 * const east = new Float32Array(1024).with(0, 1);
 * const north = new Float32Array(1024).with(1, 1);
 * console.log(kernel.name, kernel.nearest(east, [north, east], 1)); // [{place: 1, cosine: 1}]
 * ```
 */
export const selectKernel = (wanted: 'auto' | KernelName = 'auto'): Kernel => {
	if (wanted === 'js' || (wanted === 'auto' && !runs('simd'))) {
		return createJsKernel();
	}

	const flavour = wanted === 'wasm-relaxed' ? 'relaxed' : 'simd';
	if (!runs(flavour)) {
		throw new ConfigurationError(`KERNEL=${wanted} needs WebAssembly with ${needs[flavour]}, which this runtime lacks. Set KERNEL=js, or leave it out for the best that runs here.`);
	}

	return createWasmKernel(flavour);
};
