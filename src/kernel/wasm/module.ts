/** The compiled WebAssembly modules: their exports, support by the runtime, and instances. */
import {relaxedWasmBinary, wasmBinary} from './binary.ts';

/** The exports of `assembly/index.ts`. Addresses are in bytes, and results at `out` are float64. */
export type KernelFunctions = {
	compare(state: number, thirdness: number, e: number, out: number): void;
	pull(e: number, s: number, t: number, v: number, cs: number, ct: number, cv: number, out: number): void;
	move(e: number, s: number, t: number, v: number, r: number, ofInput: number, ofSecond: number, ofThird: number, ofValues: number, row: number, out: number): void;
	project(x: number, y: number, v: number, out: number): void;
	adjust(v: number, g: number, target: number): void;
	cosines(e: number, inverse: number, v: number, count: number, out: number): void;
	dot(a: number, b: number): number;
	squares(a: number): number;
	squaredGap(a: number, b: number): number;
};

/** `simd` gives the same bits on every host; `relaxed` may round less often where the host can fuse a product and a sum. */
export type Flavour = 'simd' | 'relaxed';

const binaries: Record<Flavour, string> = {simd: wasmBinary, relaxed: relaxedWasmBinary};

const bytesOf = (flavour: Flavour): Uint8Array<ArrayBuffer> => Uint8Array.from(atob(binaries[flavour]), character => character.codePointAt(0)!);

/** Each flavour is compiled once for all kernels. */
const compiled: Partial<Record<Flavour, WebAssembly.Module>> = {};

const compile = (flavour: Flavour): WebAssembly.Module => compiled[flavour] ??= new WebAssembly.Module(bytesOf(flavour));

/** Whether this runtime supports the instructions of a flavour and may compile them: a page's security policy may forbid it. */
export const isSupported = (flavour: Flavour): boolean => {
	try {
		return WebAssembly.validate(bytesOf(flavour)) && Boolean(compile(flavour));
	} catch {
		return false;
	}
};

/**
 * Creates an instance that works on this memory.
 *
 * @throws when the flavour is not supported.
 */
export const instantiate = (flavour: Flavour, memory: WebAssembly.Memory): KernelFunctions =>
	new WebAssembly.Instance(compile(flavour), {env: {memory}}).exports as unknown as KernelFunctions;
