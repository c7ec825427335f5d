/** The encoder's kernels in WebAssembly (`assembly/encoder`), with plain and with relaxed SIMD. */
import {WasmModule} from '../../platform/wasm-module.ts';
import {relaxedWasmBinary, wasmBinary} from './binary.ts';
import type {EncoderKernel, RelaxedKernel} from './kernel.ts';

export const plainModule: WasmModule<EncoderKernel> = new WasmModule(wasmBinary);

export const relaxedModule: WasmModule<RelaxedKernel> = new WasmModule(relaxedWasmBinary);
