/** The kernels that this runtime can run: all suites go over them. */
import type {KernelName} from '../../src/kernel/kernel.ts';
import {runs} from '../../src/kernel/wasm/module.ts';

export const kernelNames: readonly KernelName[] = runs('relaxed') ? ['wasm', 'wasm-relaxed', 'js'] : ['wasm', 'js'];
