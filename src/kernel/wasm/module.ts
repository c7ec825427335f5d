/** The compiled kernels: what they export, where they run, and instances of them. */
import {relaxedWasmBinary, wasmBinary} from './binary.ts';

/** What `assembly/index.ts` exports; all addresses are in bytes, and results at `out` are float64. */
export type Functions = {
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

/** `simd` has the same bits on every host; `relaxed` may round less often where the host can fuse a product and a sum. */
export type Flavour = 'simd' | 'relaxed';

const binaries: Record<Flavour, string> = {simd: wasmBinary, relaxed: relaxedWasmBinary};

const bytesOf = (flavour: Flavour): Uint8Array<ArrayBuffer> => Uint8Array.from(atob(binaries[flavour]), letter => letter.codePointAt(0)!);

/** Compiled once, whatever the number of kernels. */
const compiled: Partial<Record<Flavour, WebAssembly.Module>> = {};

const compile = (flavour: Flavour): WebAssembly.Module => compiled[flavour] ??= new WebAssembly.Module(bytesOf(flavour));

/** Whether this runtime takes the instructions of a flavour, and compiles them: a page's security policy may forbid it. */
export const runs = (flavour: Flavour): boolean => {
	try {
		return WebAssembly.validate(bytesOf(flavour)) && Boolean(compile(flavour));
	} catch {
		return false;
	}
};

/**
 * An instance that works on this memory.
 *
 * @throws where the flavour does not run.
 */
export const instantiate = (flavour: Flavour, memory: WebAssembly.Memory): Functions => {
	return new WebAssembly.Instance(compile(flavour), {env: {memory}}).exports as unknown as Functions;
};
