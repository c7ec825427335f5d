/** The compiled WebAssembly modules: their exports, and instances. */
import {WasmModule} from '../../platform/wasm-module.ts';
import {wasmBinary} from './binary.ts';

/** The exports of `assembly/index.ts`. Addresses are in bytes, and results at `out` are float64. */
export type KernelFunctions = {
	compare(state: number, thirdness: number, e: number, out: number): void;
	pull(e: number, s: number, t: number, v: number, cs: number, ct: number, cv: number, out: number): void;
	move(e: number, s: number, t: number, v: number, r: number, ofInput: number, ofSecond: number, ofThird: number, ofValues: number, row: number, out: number): void;
	project(x: number, y: number, v: number, size: number, out: number): void;
	adjust(v: number, g: number, target: number): void;
	cosines(e: number, inverse: number, v: number, count: number, out: number): void;
	dot(a: number, b: number): number;
	squares(a: number): number;
	squaredGap(a: number, b: number): number;
};

/** Compiled at its first use. */
export const kernelModule: WasmModule<KernelFunctions> = new WasmModule(wasmBinary);

/** Creates an instance that works on this memory. */
export const instantiate = (module: WebAssembly.Module, memory: WebAssembly.Memory): KernelFunctions =>
	new WebAssembly.Instance(module, {env: {memory}}).exports as unknown as KernelFunctions;
