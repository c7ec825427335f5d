/** The compiled WebAssembly modules: their exports, and instances. */
import {WasmModule} from '../../wasm-module.ts';
import {relaxedWasmBinary, wasmBinary} from './binary.ts';

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

/** `simd` gives the same bits on every host; `relaxed` may round less often where the host can fuse a product and a sum. */
export type Flavour = 'simd' | 'relaxed';

const modules: Record<Flavour, WasmModule<KernelFunctions>> = {simd: new WasmModule(wasmBinary), relaxed: new WasmModule(relaxedWasmBinary)};

export const isSupported = (flavour: Flavour): boolean => modules[flavour].isSupported;

/** @throws when the flavour is not supported. */
export const compile = (flavour: Flavour): WebAssembly.Module => modules[flavour].compiled;

/** Creates an instance that works on this memory. */
export const instantiate = (module: WebAssembly.Module, memory: WebAssembly.Memory): KernelFunctions =>
	new WebAssembly.Instance(module, {env: {memory}}).exports as unknown as KernelFunctions;
