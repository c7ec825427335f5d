/** The kernels that this runtime supports: all suites run on each. */
import type {KernelName} from '../../src/kernel/kernel.ts';
import {isSupported} from '../../src/kernel/wasm/module.ts';

export const kernelNames: readonly KernelName[] = isSupported('relaxed') ? ['wasm', 'wasm-relaxed', 'js'] : ['wasm', 'js'];
