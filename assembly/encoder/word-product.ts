/**
 * The product of quantised rows and int8 weights, through products of int16: the integers of
 * `plane-product.ts`, for hosts without relaxed SIMD or where this is faster.
 *
 * Two rows and eight columns keep eight sums in registers; each holds the two halves of two columns. The
 * rows are computed up to a multiple of two: the memory must hold them.
 */
import {dequantise} from './epilogue';

@inline
function plus(sum: v128, weights: v128, row: v128): v128 {
	return i32x4.add(sum, i32x4.dot_i16x8_s(weights, row));
}

/** The halves of four columns, added. */
@inline
function join(a: v128, b: v128): v128 {
	return i32x4.add(
		i8x16.shuffle(a, b, 0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27),
		i8x16.shuffle(a, b, 4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31),
	);
}

export function multiplyWords(a: usize, rowScales: usize, rows: usize, depth: usize, weights: usize, columnScales: usize, bias: usize, columns: usize, out: usize, mode: i32): void {
	const rowBytes = depth * 2;
	const outBytes = columns * 4;
	for (let c: usize = 0; c < outBytes; c += 32, weights += depth * 8) {
		for (let r: usize = 0; r < rows; r += 2) {
			let s00 = i32x4.splat(0), s01 = i32x4.splat(0), s02 = i32x4.splat(0), s03 = i32x4.splat(0);
			let s10 = i32x4.splat(0), s11 = i32x4.splat(0), s12 = i32x4.splat(0), s13 = i32x4.splat(0);
			let w = weights;
			let a0 = a + r * rowBytes;
			let a1 = a0 + rowBytes;
			for (const end = a0 + rowBytes; a0 < end; a0 += 8, a1 += 8, w += 32) {
				const w0 = v128.load8x8_s(w);
				const w1 = v128.load8x8_s(w, 8);
				const w2 = v128.load8x8_s(w, 16);
				const w3 = v128.load8x8_s(w, 24);
				const x0 = v128.load64_splat(a0);
				s00 = plus(s00, w0, x0);
				s01 = plus(s01, w1, x0);
				s02 = plus(s02, w2, x0);
				s03 = plus(s03, w3, x0);
				const x1 = v128.load64_splat(a1);
				s10 = plus(s10, w0, x1);
				s11 = plus(s11, w1, x1);
				s12 = plus(s12, w2, x1);
				s13 = plus(s13, w3, x1);
			}

			const scale0 = v128.load(columnScales + c);
			const scale1 = v128.load(columnScales + c, 16);
			const bias0 = v128.load(bias + c);
			const bias1 = v128.load(bias + c, 16);
			const scales = rowScales + r * 4;
			const to = out + r * outBytes + c;
			dequantise(join(s00, s01), scales, scale0, bias0, to, mode);
			dequantise(join(s02, s03), scales, scale1, bias1, to + 16, mode);
			dequantise(join(s10, s11), scales + 4, scale0, bias0, to + outBytes, mode);
			dequantise(join(s12, s13), scales + 4, scale1, bias1, to + outBytes + 16, mode);
		}
	}
}
