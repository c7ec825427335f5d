/** The tensor kernels behind one port. */
export type {Kernel} from '../kernel/kernel.ts';
export {selectKernel} from '../kernel/select.ts';
