/**
 * The product of rows of bytes and int8 weights, for activations of 7 bits: Σ w a = Σ w byte − zero Σ w.
 *
 * As in `plane-product.ts`, bytes under 128 give the relaxed operation one result on every host. Five
 * rows and eight columns keep ten sums in registers. The rows are computed up to a multiple of five: the
 * memory must hold them.
 */
import {dequantise} from './epilogue';
import {plus} from './relaxed-dot';

/**
 * @param sums Σ w of each column.
 * @param zero The byte of an activation of 0.
 */
export function multiplyBytes(a: usize, rowScales: usize, rows: usize, depth: usize, zero: i32, weights: usize, columnScales: usize, sums: usize, bias: usize, columns: usize, out: usize, mode: i32): void {
	const outBytes = columns * 4;
	for (let c: usize = 0; c < outBytes; c += 32, weights += depth * 8) {
		for (let r: usize = 0; r < rows; r += 5) {
			let s00 = i32x4.splat(0), s01 = i32x4.splat(0), s10 = i32x4.splat(0), s11 = i32x4.splat(0), s20 = i32x4.splat(0);
			let s21 = i32x4.splat(0), s30 = i32x4.splat(0), s31 = i32x4.splat(0), s40 = i32x4.splat(0), s41 = i32x4.splat(0);
			let w = weights;
			let a0 = a + r * depth;
			let a1 = a0 + depth;
			let a2 = a1 + depth;
			let a3 = a2 + depth;
			let a4 = a3 + depth;
			for (const end = a0 + depth; a0 < end; a0 += 4, a1 += 4, a2 += 4, a3 += 4, a4 += 4, w += 32) {
				const w0 = v128.load(w);
				const w1 = v128.load(w, 16);
				s00 = plus(s00, w0, v128.load32_splat(a0));
				s01 = plus(s01, w1, v128.load32_splat(a0));
				s10 = plus(s10, w0, v128.load32_splat(a1));
				s11 = plus(s11, w1, v128.load32_splat(a1));
				s20 = plus(s20, w0, v128.load32_splat(a2));
				s21 = plus(s21, w1, v128.load32_splat(a2));
				s30 = plus(s30, w0, v128.load32_splat(a3));
				s31 = plus(s31, w1, v128.load32_splat(a3));
				s40 = plus(s40, w0, v128.load32_splat(a4));
				s41 = plus(s41, w1, v128.load32_splat(a4));
			}

			const zeros = i32x4.splat(zero);
			const offset0 = i32x4.mul(v128.load(sums + c), zeros);
			const offset1 = i32x4.mul(v128.load(sums + c, 16), zeros);
			const scale0 = v128.load(columnScales + c);
			const scale1 = v128.load(columnScales + c, 16);
			const bias0 = v128.load(bias + c);
			const bias1 = v128.load(bias + c, 16);
			const scales = rowScales + r * 4;
			const to = out + r * outBytes + c;
			dequantise(i32x4.sub(s00, offset0), scales, scale0, bias0, to, mode);
			dequantise(i32x4.sub(s01, offset1), scales, scale1, bias1, to + 16, mode);
			dequantise(i32x4.sub(s10, offset0), scales + 4, scale0, bias0, to + outBytes, mode);
			dequantise(i32x4.sub(s11, offset1), scales + 4, scale1, bias1, to + outBytes + 16, mode);
			dequantise(i32x4.sub(s20, offset0), scales + 8, scale0, bias0, to + 2 * outBytes, mode);
			dequantise(i32x4.sub(s21, offset1), scales + 8, scale1, bias1, to + 2 * outBytes + 16, mode);
			dequantise(i32x4.sub(s30, offset0), scales + 12, scale0, bias0, to + 3 * outBytes, mode);
			dequantise(i32x4.sub(s31, offset1), scales + 12, scale1, bias1, to + 3 * outBytes + 16, mode);
			dequantise(i32x4.sub(s40, offset0), scales + 16, scale0, bias0, to + 4 * outBytes, mode);
			dequantise(i32x4.sub(s41, offset1), scales + 16, scale1, bias1, to + 4 * outBytes + 16, mode);
		}
	}
}
