/**
 * The tensor kernels behind one port.
 *
 * @module processual-state/kernel
 */
import '../platform/require-node.ts';
export type {Adjustment, Comparison, DirectionMatrix, Distances, Kernel, KernelName, Move, Neighbour, Pull} from './kernel.ts';
export {selectKernel} from './select.ts';
