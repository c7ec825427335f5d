/** A kernel for searches beside the identity's own: a kernel keeps the vectors of its last one. */
import type {Kernel, KernelName} from './kernel.ts';
import {selectKernel} from './select.ts';

/** The kernels of the package, which can be made again by their names. An application's own cannot. */
const ownKernels: readonly string[] = ['wasm', 'js'] satisfies KernelName[];

/** Whether another kernel of the same kind can be made. */
export const isSeparable = ({name}: Kernel): boolean => ownKernels.includes(name);

/** Another kernel of the same kind; an application's own itself. */
export const separateKernel = (kernel: Kernel): Kernel => isSeparable(kernel) ? selectKernel(kernel.name as KernelName) : kernel;
