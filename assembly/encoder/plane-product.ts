/**
 * The product of quantised rows and int8 weights, through sums of bytes.
 *
 * Σ w a = 128 Σ w high + Σ w low − 8192 Σ w, modulo 2³². Under 128 a byte is the same with and without
 * sign, and no pair of products exceeds 16 bits, so the relaxed operation has one result on every host.
 *
 * Three rows and eight columns keep twelve sums in registers. Weights lie in panels of eight columns by
 * four values. The rows are computed up to a multiple of three: the memory must hold them.
 */
import {dequantise} from './epilogue';
import {plus} from './relaxed-dot';

@inline
function join(high: v128, low: v128, offset: v128): v128 {
	return i32x4.sub(i32x4.add(i32x4.shl(high, 7), low), offset);
}

/** @param sums Σ w of each column. */
export function multiplyPlanes(a: usize, rowScales: usize, rows: usize, depth: usize, weights: usize, columnScales: usize, sums: usize, bias: usize, columns: usize, out: usize, mode: i32): void {
	const rowBytes = depth * 2;
	const outBytes = columns * 4;
	for (let c: usize = 0; c < outBytes; c += 32, weights += depth * 8) {
		for (let r: usize = 0; r < rows; r += 3) {
			let h00 = i32x4.splat(0), h01 = i32x4.splat(0), l00 = i32x4.splat(0), l01 = i32x4.splat(0);
			let h10 = i32x4.splat(0), h11 = i32x4.splat(0), l10 = i32x4.splat(0), l11 = i32x4.splat(0);
			let h20 = i32x4.splat(0), h21 = i32x4.splat(0), l20 = i32x4.splat(0), l21 = i32x4.splat(0);
			let w = weights;
			let a0 = a + r * rowBytes;
			let a1 = a0 + rowBytes;
			let a2 = a1 + rowBytes;
			for (const end = a0 + rowBytes; a0 < end; a0 += 8, a1 += 8, a2 += 8, w += 32) {
				const w0 = v128.load(w);
				const w1 = v128.load(w, 16);
				h00 = plus(h00, w0, v128.load32_splat(a0));
				h01 = plus(h01, w1, v128.load32_splat(a0));
				l00 = plus(l00, w0, v128.load32_splat(a0, 4));
				l01 = plus(l01, w1, v128.load32_splat(a0, 4));
				h10 = plus(h10, w0, v128.load32_splat(a1));
				h11 = plus(h11, w1, v128.load32_splat(a1));
				l10 = plus(l10, w0, v128.load32_splat(a1, 4));
				l11 = plus(l11, w1, v128.load32_splat(a1, 4));
				h20 = plus(h20, w0, v128.load32_splat(a2));
				h21 = plus(h21, w1, v128.load32_splat(a2));
				l20 = plus(l20, w0, v128.load32_splat(a2, 4));
				l21 = plus(l21, w1, v128.load32_splat(a2, 4));
			}

			const offset0 = i32x4.shl(v128.load(sums + c), 13);
			const offset1 = i32x4.shl(v128.load(sums + c, 16), 13);
			const scale0 = v128.load(columnScales + c);
			const scale1 = v128.load(columnScales + c, 16);
			const bias0 = v128.load(bias + c);
			const bias1 = v128.load(bias + c, 16);
			const scales = rowScales + r * 4;
			const to = out + r * outBytes + c;
			dequantise(join(h00, l00, offset0), scales, scale0, bias0, to, mode);
			dequantise(join(h01, l01, offset1), scales, scale1, bias1, to + 16, mode);
			dequantise(join(h10, l10, offset0), scales + 4, scale0, bias0, to + outBytes, mode);
			dequantise(join(h11, l11, offset1), scales + 4, scale1, bias1, to + outBytes + 16, mode);
			dequantise(join(h20, l20, offset0), scales + 8, scale0, bias0, to + 2 * outBytes, mode);
			dequantise(join(h21, l21, offset1), scales + 8, scale1, bias1, to + 2 * outBytes + 16, mode);
		}
	}
}
