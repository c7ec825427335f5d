/** An input against the eight rows of a state: eight products and its own square in one pass over the input. */
import {ROW, total} from './vector';

/**
 * Writes e·X_d for the eight rows, and ‖e‖² after them, as float64, to `out`.
 *
 * The rows lie 4160 bytes apart from `state` on: 4 KiB and a line of the cache, for at exactly
 * 4 KiB all of them would compete for the same places of it. Thirdness has an address of its
 * own, because it is the row that a cycle replaces.
 *
 * One accumulator a row: each part of `e` is loaded once, and nine additions that do not wait
 * for each other are under way.
 */
export function dots(state: usize, thirdness: usize, e: usize, out: usize): void {
	let s0 = f32x4.splat(0);
	let s1 = f32x4.splat(0);
	let s2 = f32x4.splat(0);
	let s3 = f32x4.splat(0);
	let s4 = f32x4.splat(0);
	let s5 = f32x4.splat(0);
	let s6 = f32x4.splat(0);
	let s7 = f32x4.splat(0);
	let ee = f32x4.splat(0);
	for (const end = e + ROW; e < end; e += 16, state += 16, thirdness += 16) {
		const part = v128.load(e);
		s0 = f32x4.add(s0, f32x4.mul(part, v128.load(state)));
		s1 = f32x4.add(s1, f32x4.mul(part, v128.load(state, 4160)));
		s2 = f32x4.add(s2, f32x4.mul(part, v128.load(thirdness)));
		s3 = f32x4.add(s3, f32x4.mul(part, v128.load(state, 12480)));
		s4 = f32x4.add(s4, f32x4.mul(part, v128.load(state, 16640)));
		s5 = f32x4.add(s5, f32x4.mul(part, v128.load(state, 20800)));
		s6 = f32x4.add(s6, f32x4.mul(part, v128.load(state, 24960)));
		s7 = f32x4.add(s7, f32x4.mul(part, v128.load(state, 29120)));
		ee = f32x4.add(ee, f32x4.mul(part, part));
	}

	f64.store(out, total(s0));
	f64.store(out, total(s1), 8);
	f64.store(out, total(s2), 16);
	f64.store(out, total(s3), 24);
	f64.store(out, total(s4), 32);
	f64.store(out, total(s5), 40);
	f64.store(out, total(s6), 48);
	f64.store(out, total(s7), 56);
	f64.store(out, total(ee), 64);
}
