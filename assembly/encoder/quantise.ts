/**
 * Quantises each row to integers times the row's scale, from −largest to largest.
 *
 * Three forms hold the same integers. Words: one int16 each. Bytes: q + zero, under 128. Planes, for
 * 14 bits: q + 8192 = 128 high + low in two bytes under 128, interleaved by four: high, high, high,
 * high, low, low, low, low.
 */

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
function scaleOf(x: usize, bytes: usize, largest: f32, scale: usize): v128 {
	const found = largestOf(x, bytes);
	f32.store(scale, found / largest);
	return f32x4.splat(found == 0 ? 0 : largest / found);
}

export function quantiseWords(x: usize, rows: usize, width: usize, largest: f32, out: usize, scales: usize): void {
	const bytes = width * 4;
	for (const end = x + rows * bytes; x < end; x += bytes, scales += 4) {
		const inverse = scaleOf(x, bytes, largest, scales);
		for (let i: usize = 0; i < bytes; i += 32, out += 16) {
			v128.store(out, toWords(x + i, inverse));
		}
	}
}

export function quantiseBytes(x: usize, rows: usize, width: usize, largest: f32, zero: i32, out: usize, scales: usize): void {
	const bytes = width * 4;
	const offset = i16x8.splat(<i16>zero);
	for (const end = x + rows * bytes; x < end; x += bytes, scales += 4) {
		const inverse = scaleOf(x, bytes, largest, scales);
		for (let i: usize = 0; i < bytes; i += 64, out += 16) {
			v128.store(out, i8x16.narrow_i16x8_u(i16x8.add(toWords(x + i, inverse), offset), i16x8.add(toWords(x + i + 32, inverse), offset)));
		}
	}
}

export function quantisePlanes(x: usize, rows: usize, width: usize, out: usize, scales: usize): void {
	const bytes = width * 4;
	const low = i16x8.splat(127);
	const offset = i16x8.splat(8192);
	for (const end = x + rows * bytes; x < end; x += bytes, scales += 4) {
		const inverse = scaleOf(x, bytes, 8191, scales);
		for (let i: usize = 0; i < bytes; i += 32, out += 16) {
			const words = i16x8.add(toWords(x + i, inverse), offset);
			const planes = i8x16.narrow_i16x8_u(i16x8.shr_u(words, 7), v128.and(words, low));
			v128.store(out, i8x16.shuffle(planes, planes, 0, 1, 2, 3, 8, 9, 10, 11, 4, 5, 6, 7, 12, 13, 14, 15));
		}
	}
}
