/**
 * The tensor kernels in WebAssembly with SIMD. Their arguments are addresses: the host lays out the
 * memory (`src/kernel/wasm/memory.ts`), and the order of additions is fixed.
 */
export {adjust} from './adjust';
export {compare} from './compare';
export {move, pull} from './move';
export {project} from './project';
export {cosines} from './search';
export {dot, squaredGap, squares} from './vector';
