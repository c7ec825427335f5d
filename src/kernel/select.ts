/** Selects the kernel: WebAssembly where it runs, else TypeScript. */
import {ConfigurationError} from '../platform/errors.ts';
import {createJsKernel} from './js.ts';
import type {Kernel, KernelName} from './kernel.ts';
import {kernelModule} from './wasm/memory.ts';
import {createWasmKernel} from './wasm/kernel.ts';

/**
 * Creates a kernel. Each call gives a separate one, since a kernel caches vectors.
 *
 * A compiled module of the package's file `processual-state/kernel.wasm` is for runtimes that forbid to compile from
 * bytes, such as workerd: `import kernel from 'processual-state/kernel.wasm'` gives it there. Its type is `object`, because
 * Node's types do not name `WebAssembly.Module`.
 *
 * @throws {ConfigurationError} for a name that is not known, and for a WebAssembly kernel where the runtime does not support it.
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
export const selectKernel = (wanted: 'auto' | KernelName | object = 'auto'): Kernel => {
	if (typeof wanted === 'object') {
		return createWasmKernel('wasm', wanted);
	}

	if (wanted !== 'auto' && !ownKernels.includes(wanted)) {
		throw new ConfigurationError(`There is no kernel “${String(wanted)}”. Choose wasm, js, or auto for the fastest that runs here.`);
	}

	if (wanted === 'js' || (wanted === 'auto' && !kernelModule.isSupported)) {
		return createJsKernel();
	}

	if (!kernelModule.isSupported) {
		throw new ConfigurationError(
			'The kernel wasm needs WebAssembly with SIMD, which this runtime lacks. Choose js, or auto for the fastest that runs here.',
		);
	}

	return createWasmKernel('wasm', kernelModule.compiled);
};

/** The kernels of the package, which can be made again by their names. An application's own cannot. */
const ownKernels: readonly string[] = ['wasm', 'js'] satisfies KernelName[];

/** Whether another kernel of the same kind can be made. */
export const isSeparable = ({name}: Kernel): boolean => ownKernels.includes(name);

/** Another kernel of the same kind; an application's own itself. */
export const separateKernel = (kernel: Kernel): Kernel => isSeparable(kernel) ? selectKernel(kernel.name as KernelName) : kernel;
