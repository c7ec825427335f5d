/**
 * The product of float32 matrices. The sum of each element runs in the order of the depth.
 *
 * Four rows and eight columns keep eight sums in registers. The rows are computed up to a multiple of
 * four and the columns of eight: the memory must hold them.
 */
import {finish} from './epilogue';

/**
 * Strides are in bytes, from one row to the next.
 *
 * @param panelStride The bytes from one panel of eight columns of b to the next.
 * @param bias The address of one float for each column, or 0 for none.
 */
export function multiplyFloats(a: usize, aStride: usize, rows: usize, depth: usize, b: usize, bStride: usize, panelStride: usize, bias: usize, columns: usize, out: usize, outStride: usize, mode: i32): void {
	for (let c: usize = 0; c < columns * 4; c += 32, b += panelStride) {
		for (let r: usize = 0; r < rows; r += 4) {
			let s00 = bias ? v128.load(bias + c) : f32x4.splat(0);
			let s01 = bias ? v128.load(bias + c, 16) : f32x4.splat(0);
			let s10 = s00, s11 = s01, s20 = s00, s21 = s01, s30 = s00, s31 = s01;
			let from = b;
			let a0 = a + r * aStride;
			let a1 = a0 + aStride;
			let a2 = a1 + aStride;
			let a3 = a2 + aStride;
			for (const end = a0 + depth * 4; a0 < end; a0 += 4, a1 += 4, a2 += 4, a3 += 4, from += bStride) {
				const b0 = v128.load(from);
				const b1 = v128.load(from, 16);
				const x0 = v128.load32_splat(a0);
				s00 = f32x4.add(s00, f32x4.mul(x0, b0));
				s01 = f32x4.add(s01, f32x4.mul(x0, b1));
				const x1 = v128.load32_splat(a1);
				s10 = f32x4.add(s10, f32x4.mul(x1, b0));
				s11 = f32x4.add(s11, f32x4.mul(x1, b1));
				const x2 = v128.load32_splat(a2);
				s20 = f32x4.add(s20, f32x4.mul(x2, b0));
				s21 = f32x4.add(s21, f32x4.mul(x2, b1));
				const x3 = v128.load32_splat(a3);
				s30 = f32x4.add(s30, f32x4.mul(x3, b0));
				s31 = f32x4.add(s31, f32x4.mul(x3, b1));
			}

			const to = out + r * outStride + c;
			finish(s00, to, mode);
			finish(s01, to + 16, mode);
			finish(s10, to + outStride, mode);
			finish(s11, to + outStride + 16, mode);
			finish(s20, to + 2 * outStride, mode);
			finish(s21, to + 2 * outStride + 16, mode);
			finish(s30, to + 3 * outStride, mode);
			finish(s31, to + 3 * outStride + 16, mode);
		}
	}
}
