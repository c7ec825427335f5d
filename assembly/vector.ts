/**
 * Sums over one row of 1024 float32: products, squared differences.
 *
 * Four accumulators of four lanes hide the latency of the additions; the sixteen partial sums
 * are added in float64. The order of additions is fixed, so the bits are the same on every host.
 */

/** Bytes of a row. */
export const ROW: usize = 4096;

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
		s0 = f32x4.add(s0, f32x4.mul(v128.load(a), v128.load(b)));
		s1 = f32x4.add(s1, f32x4.mul(v128.load(a, 16), v128.load(b, 16)));
		s2 = f32x4.add(s2, f32x4.mul(v128.load(a, 32), v128.load(b, 32)));
		s3 = f32x4.add(s3, f32x4.mul(v128.load(a, 48), v128.load(b, 48)));
	}

	return (total(s0) + total(s1)) + (total(s2) + total(s3));
}

/**
 * ‖a − b‖². Where a small distance is the result, the differences keep it; 1 − a·b would
 * lose it in the rounding of the product.
 */
export function squaredGap(a: usize, b: usize): f64 {
	let s0 = f32x4.splat(0);
	let s1 = f32x4.splat(0);
	let s2 = f32x4.splat(0);
	let s3 = f32x4.splat(0);
	for (const end = a + ROW; a < end; a += 64, b += 64) {
		const d0 = f32x4.sub(v128.load(a), v128.load(b));
		const d1 = f32x4.sub(v128.load(a, 16), v128.load(b, 16));
		const d2 = f32x4.sub(v128.load(a, 32), v128.load(b, 32));
		const d3 = f32x4.sub(v128.load(a, 48), v128.load(b, 48));
		s0 = f32x4.add(s0, f32x4.mul(d0, d0));
		s1 = f32x4.add(s1, f32x4.mul(d1, d1));
		s2 = f32x4.add(s2, f32x4.mul(d2, d2));
		s3 = f32x4.add(s3, f32x4.mul(d3, d3));
	}

	return (total(s0) + total(s1)) + (total(s2) + total(s3));
}
