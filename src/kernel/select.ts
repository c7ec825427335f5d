/** Chooses the kernel: WebAssembly where it runs, TypeScript elsewhere or on request. */
import {ConfigurationError} from '../errors.ts';
import {createJsKernel} from './js.ts';
import type {Kernel, KernelName} from './kernel.ts';
import {createWasmKernel} from './wasm.ts';

/** The smallest module with a SIMD instruction: a function that makes a v128 and drops it. */
const simdModule = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 10, 9, 1, 7, 0, 65, 0, 253, 15, 26, 11);

const hasSimd = (): boolean => typeof WebAssembly === 'object' && WebAssembly.validate(simdModule);

/**
 * A kernel of its own for each call: kernels keep copies of what they have seen.
 *
 * @throws {ConfigurationError} when `wasm` is asked for and WebAssembly or its SIMD is missing.
 */
export const selectKernel = (wanted: 'auto' | KernelName = 'auto'): Kernel => {
	if (wanted === 'js' || (wanted === 'auto' && !hasSimd())) {
		return createJsKernel();
	}

	if (!hasSimd()) {
		throw new ConfigurationError('KERNEL=wasm needs WebAssembly with SIMD, which this runtime lacks. Set KERNEL=js, or leave it out for the best that runs here.');
	}

	return createWasmKernel();
};
