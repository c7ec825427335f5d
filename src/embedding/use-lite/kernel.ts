/**
 * The encoder's kernels. WebAssembly and TypeScript compute the same bits. Arguments are byte addresses and counts.
 */
import {WasmModule} from '../../platform/wasm-module.ts';
import {relaxedWasmBinary, wasmBinary} from './binary.ts';

/** How a product is written: stored, stored with negative values as zero, or added to the value there. */
export const store = 0;
export const relu = 1;
export const add = 2;

type Output = typeof store | typeof relu | typeof add;

/** The kernels' functions, documented in `assembly/encoder`. */
export interface EncoderKernel {
	lookupBytes(ids: number, count: number, width: number, table: number, scales: number, positions: number, out: number): void;
	normalise(x: number, rows: number, width: number, gain: number, bias: number, out: number): void;
	quantiseWords(x: number, rows: number, width: number, largest: number, out: number, scales: number): void;
	multiplyWords(
		a: number, rowScales: number, rows: number, depth: number, weights: number, columnScales: number, bias: number, columns: number,
		out: number, mode: Output,
	): void;
	attend(qkv: number, tokens: number, heads: number, size: number, keys: number, weights: number, out: number): void;
	average(x: number, rows: number, width: number, out: number): void;
	tanh(x: number, width: number): void;
}

/** Also multiplies through bytes: the same integers, and faster on most hosts that support it. */
export interface RelaxedKernel extends EncoderKernel {
	quantiseBytes(x: number, rows: number, width: number, largest: number, zero: number, out: number, scales: number): void;
	multiplyBytes(
		a: number, rowScales: number, rows: number, depth: number, zero: number, weights: number, columnScales: number, sums: number,
		bias: number, columns: number, out: number, mode: Output,
	): void;
	quantisePlanes(x: number, rows: number, width: number, out: number, scales: number): void;
	multiplyPlanes(
		a: number, rowScales: number, rows: number, depth: number, weights: number, columnScales: number, sums: number, bias: number,
		columns: number, out: number, mode: Output,
	): void;
}

/** The kernels in WebAssembly (`assembly/encoder`), with plain and with relaxed SIMD. */
export const plainModule: WasmModule<EncoderKernel> = new WasmModule(wasmBinary);

export const relaxedModule: WasmModule<RelaxedKernel> = new WasmModule(relaxedWasmBinary);
