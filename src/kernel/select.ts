/** Selects the kernel: WebAssembly where it runs, else TypeScript. */
import {ConfigurationError} from '../errors.ts';
import {createJsKernel} from './js.ts';
import type {Kernel, KernelName} from './kernel.ts';
import {isSupported, type Flavour} from './wasm/module.ts';
import {createWasmKernel} from './wasm/kernel.ts';

const required: Record<Flavour, string> = {simd: 'SIMD', relaxed: 'relaxed SIMD'};

/**
 * Creates a kernel. Each call gives a separate one, since a kernel caches vectors.
 *
 * `auto` never selects relaxed SIMD: its last bits differ between hosts, and the replay of a
 * journal would too.
 *
 * @throws {ConfigurationError} when a WebAssembly kernel is requested and the runtime does not support it.
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
	if (wanted === 'js' || (wanted === 'auto' && !isSupported('simd'))) {
		return createJsKernel();
	}

	const flavour = wanted === 'wasm-relaxed' ? 'relaxed' : 'simd';
	if (!isSupported(flavour)) {
		throw new ConfigurationError(`KERNEL=${wanted} needs WebAssembly with ${required[flavour]}, which this runtime lacks. Set KERNEL=js, or unset KERNEL to use the fastest kernel that runs here.`);
	}

	return createWasmKernel(flavour);
};
