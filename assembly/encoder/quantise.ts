/**
 * Quantises each row to integers of 14 bits: −8191 … 8191 times the row's scale.
 *
 * Two forms hold the same integers. Words: one int16 each. Planes: q + 8192 = 128 high + low in two
 * bytes under 128, interleaved by four: high, high, high, high, low, low, low, low.
 */

const LARGEST: f32 = 8191;

/** The largest magnitude of a row. */
@inline
function largestOf(x: usize, bytes: usize): f32 {
	let m0 = f32x4.splat(0);
	let m1 = f32x4.splat(0);
	for (let i: usize = 0; i < bytes; i += 32) {
		m0 = f32x4.max(m0, f32x4.abs(v128.load(x + i)));
		m1 = f32x4.max(m1, f32x4.abs(v128.load(x + i, 16)));
	}

	const m = f32x4.max(m0, m1);
	return max(max(f32x4.extract_lane(m, 0), f32x4.extract_lane(m, 1)), max(f32x4.extract_lane(m, 2), f32x4.extract_lane(m, 3)));
}

/** Eight floats as int16. */
@inline
function toWords(x: usize, inverse: v128): v128 {
	return i16x8.narrow_i32x4_s(
		i32x4.trunc_sat_f32x4_s(f32x4.nearest(f32x4.mul(v128.load(x), inverse))),
		i32x4.trunc_sat_f32x4_s(f32x4.nearest(f32x4.mul(v128.load(x, 16), inverse))),
	);
}

/** Stores the row's scale and returns the factor from floats to integers. */
@inline
function scaleOf(x: usize, bytes: usize, scale: usize): v128 {
	const largest = largestOf(x, bytes);
	f32.store(scale, largest / LARGEST);
	return f32x4.splat(largest == 0 ? 0 : LARGEST / largest);
}

export function quantiseWords(x: usize, rows: usize, width: usize, out: usize, scales: usize): void {
	const bytes = width * 4;
	for (const end = x + rows * bytes; x < end; x += bytes, scales += 4) {
		const inverse = scaleOf(x, bytes, scales);
		for (let i: usize = 0; i < bytes; i += 32, out += 16) {
			v128.store(out, toWords(x + i, inverse));
		}
	}
}

export function quantisePlanes(x: usize, rows: usize, width: usize, out: usize, scales: usize): void {
	const bytes = width * 4;
	const low = i16x8.splat(127);
	const offset = i16x8.splat(8192);
	for (const end = x + rows * bytes; x < end; x += bytes, scales += 4) {
		const inverse = scaleOf(x, bytes, scales);
		for (let i: usize = 0; i < bytes; i += 32, out += 16) {
			const words = i16x8.add(toWords(x + i, inverse), offset);
			const planes = i8x16.narrow_i16x8_u(i16x8.shr_u(words, 7), v128.and(words, low));
			v128.store(out, i8x16.shuffle(planes, planes, 0, 1, 2, 3, 8, 9, 10, 11, 4, 5, 6, 7, 12, 13, 14, 15));
		}
	}
}
