/** The compiled kernels: what they export, and instances of them. */
import {wasmBinary} from './wasm-binary.ts';

/** What `assembly/index.ts` exports; all addresses are in bytes, and results at `out` are float64. */
export type Functions = {
	dots(state: number, thirdness: number, e: number, out: number): void;
	dot(a: number, b: number): number;
	squaredGap(a: number, b: number): number;
	move(e: number, s: number, t: number, v: number, cs: number, ct: number, cv: number, squares: number, limit: number, row: number, out: number): void;
	project(x: number, v: number, out: number): void;
	adjust(v: number, g: number, target: number): void;
};

/** Compiled once, whatever the number of kernels. */
let compiled: WebAssembly.Module | undefined;

/**
 * An instance that works on this memory.
 *
 * @throws when WebAssembly or its SIMD is missing.
 */
export const instantiate = (memory: WebAssembly.Memory): Functions => {
	compiled ??= new WebAssembly.Module(Uint8Array.from(atob(wasmBinary), letter => letter.codePointAt(0)!));
	return new WebAssembly.Instance(compiled, {env: {memory}}).exports as unknown as Functions;
};
