/**
 * The tensor kernels behind one port.
 *
 * @module processual-state/kernel
 */
export type {Adjustment, Comparison, DirectionMatrix, Drift, Kernel, KernelName, Move, Neighbour, Pull} from '../kernel/kernel.ts';
export {selectKernel} from '../kernel/select.ts';
