/** Selects the kernel: WebAssembly where it runs, else TypeScript. */
import {ConfigurationError} from '../errors.ts';
import {createJsKernel} from './js.ts';
import type {Kernel, KernelName} from './kernel.ts';
import {compile, isSupported, type Flavour} from './wasm/module.ts';
import {createWasmKernel} from './wasm/kernel.ts';

const required: Record<Flavour, string> = {simd: 'SIMD', relaxed: 'relaxed SIMD'};

/**
 * Creates a kernel. Each call gives a separate one, since a kernel caches vectors.
 *
 * `auto` never selects relaxed SIMD: its last bits differ between hosts, and the replay of a
 * journal would too.
 *
 * A compiled module of the package's file `processual-state/kernel.wasm` is for runtimes that forbid to compile from
 * bytes, such as workerd: `import kernel from 'processual-state/kernel.wasm'` gives it there.
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
export const selectKernel = (wanted: 'auto' | KernelName | WebAssembly.Module = 'auto'): Kernel => {
	if (typeof wanted === 'object') {
		return createWasmKernel('wasm', wanted);
	}

	if (wanted === 'js' || (wanted === 'auto' && !isSupported('simd'))) {
		return createJsKernel();
	}

	const flavour = wanted === 'wasm-relaxed' ? 'relaxed' : 'simd';
	if (!isSupported(flavour)) {
		throw new ConfigurationError(`The kernel ${wanted} needs WebAssembly with ${required[flavour]}, which this runtime lacks. Choose js, or auto for the fastest that runs here.`);
	}

	return createWasmKernel(flavour === 'relaxed' ? 'wasm-relaxed' : 'wasm', compile(flavour));
};
