/** Selects the kernel: WebAssembly if the runtime supports it, else TypeScript. */
import {ConfigurationError} from '../platform/errors.ts';
import {createJsKernel} from './js.ts';
import type {Kernel, KernelName} from './kernel.ts';
import {kernelModule} from './wasm/memory.ts';
import {WasmKernel} from './wasm/kernel.ts';

/**
 * Creates a kernel. Each call returns a separate one, because a kernel caches vectors.
 *
 * Instead of a name, pass a compiled module in a runtime that does not compile from bytes, such as workerd: there,
 * `import kernel from 'processual-state/kernel.wasm'` gives the module. Its type is `object`, because Node's types do not name
 * `WebAssembly.Module`.
 *
 * @throws {ConfigurationError} for an unknown name, and for a WebAssembly kernel that the runtime does not support
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
		return new WasmKernel(wanted);
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

	return new WasmKernel(kernelModule.compiled);
};

/** The kernels of the package, which can be created by name. An application's kernel cannot. */
const ownKernels: readonly string[] = ['wasm', 'js'] satisfies KernelName[];

/** Whether another kernel of the same kind can be created. */
export const isSeparable = ({name}: Kernel): boolean => ownKernels.includes(name);

/** Another kernel of the same kind; the same one if it is an application's. */
export const separateKernel = (kernel: Kernel): Kernel => isSeparable(kernel) ? selectKernel(kernel.name as KernelName) : kernel;
