/**
 * Sums over one row of 1024 float32: products, squared differences.
 *
 * Several accumulators of four lanes hide the latency of the additions; their partial sums are added in float64. The order of
 * additions is fixed, so the bits are the same on every host. With relaxed SIMD a host may fuse a product and its addition: that is
 * a tenth faster, but the replay of a journal would differ between hosts.
 */

/** Bytes of a row. */
export const ROW: usize = 4096;

/** sum + a b, rounded twice. */
@inline
export function plus(sum: v128, a: v128, b: v128): v128 {
	return f32x4.add(sum, f32x4.mul(a, b));
}

/** The four lanes of a sum, added in float64. */
@inline
export function total(sum: v128): f64 {
	const pairs = f64x2.add(f64x2.promote_low_f32x4(sum), f64x2.promote_low_f32x4(i8x16.shuffle(sum, sum, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7)));
	return f64x2.extract_lane(pairs, 0) + f64x2.extract_lane(pairs, 1);
}

/** a·b */
export function dot(a: usize, b: usize): f64 {
	let s0 = f32x4.splat(0);
	let s1 = f32x4.splat(0);
	let s2 = f32x4.splat(0);
	let s3 = f32x4.splat(0);
	for (const end = a + ROW; a < end; a += 64, b += 64) {
		s0 = plus(s0, v128.load(a), v128.load(b));
		s1 = plus(s1, v128.load(a, 16), v128.load(b, 16));
		s2 = plus(s2, v128.load(a, 32), v128.load(b, 32));
		s3 = plus(s3, v128.load(a, 48), v128.load(b, 48));
	}

	return (total(s0) + total(s1)) + (total(s2) + total(s3));
}

/** ‖a‖², with the same bits as `move` computes for its new row; `move` has registers for only two accumulators. */
export function squares(a: usize): f64 {
	let s0 = f32x4.splat(0);
	let s1 = f32x4.splat(0);
	for (const end = a + ROW; a < end; a += 32) {
		const low = v128.load(a);
		const high = v128.load(a, 16);
		s0 = plus(s0, low, low);
		s1 = plus(s1, high, high);
	}

	return total(s0) + total(s1);
}

/**
 * ‖a − b‖², with the same bits as `move` computes. Differences are accurate for a small distance, which 1 − a·b would lose in the
 * rounding of the product.
 */
export function squaredGap(a: usize, b: usize): f64 {
	let s0 = f32x4.splat(0);
	let s1 = f32x4.splat(0);
	for (const end = a + ROW; a < end; a += 32, b += 32) {
		const low = f32x4.sub(v128.load(a), v128.load(b));
		const high = f32x4.sub(v128.load(a, 16), v128.load(b, 16));
		s0 = plus(s0, low, low);
		s1 = plus(s1, high, high);
	}

	return total(s0) + total(s1);
}
