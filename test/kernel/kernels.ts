/** The kernels that this runtime supports: all suites run on each. */
import type {KernelName} from '../../src/kernel/kernel.ts';

export const kernelNames: readonly KernelName[] = ['wasm', 'js'];
