/**
 * The tensor kernels in WebAssembly with SIMD. They take addresses: the host lays out the
 * memory (`src/kernel/wasm.ts`), and the order of additions is fixed.
 */
export {dots} from './compare';
export {move} from './move';
export {project} from './project';
export {adjust} from './adjust';
export {dot, squaredGap} from './vector';
