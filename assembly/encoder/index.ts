/**
 * The sentence encoder's kernels in WebAssembly with SIMD. Their arguments are addresses and counts:
 * the host lays out the memory and holds the model's graph (`src/embedding/use-lite/graph.ts`).
 *
 * Every operation has one result on every host, so a text has the same vector everywhere.
 * `src/embedding/use-lite/js-kernel.ts` computes the same bits in TypeScript.
 *
 * Compiled twice: `multiplyBytes` and `multiplyPlanes` need relaxed SIMD.
 */
export {attend} from './attention';
export {lookupBytes} from './lookup';
export {normalise} from './layer-norm';
export {quantiseBytes, quantisePlanes, quantiseWords} from './quantise';
export {multiplyBytes} from './byte-product';
export {multiplyPlanes} from './plane-product';
export {multiplyWords} from './word-product';
export {average, tanh} from './pooling';
