/** Writes the sums of a product: stores them, clamps them at zero, or adds them to the values in memory. */

export const STORE: i32 = 0;
export const RELU: i32 = 1;
export const ADD: i32 = 2;

@inline
export function finish(value: v128, out: usize, mode: i32): void {
	if (mode == RELU) {
		v128.store(out, f32x4.max(value, f32x4.splat(0)));
	} else if (mode == ADD) {
		v128.store(out, f32x4.add(v128.load(out), value));
	} else {
		v128.store(out, value);
	}
}

/** sums · (row's scale · column's scale) + bias */
@inline
export function dequantise(sums: v128, rowScale: usize, columnScale: v128, bias: v128, out: usize, mode: i32): void {
	finish(f32x4.add(f32x4.mul(f32x4.convert_i32x4_s(sums), f32x4.mul(v128.load32_splat(rowScale), columnScale)), bias), out, mode);
}
