/** An input against the eight rows of a state: eight products in one pass over the input. */
import {ROW, total} from './vector';

/**
 * Writes e·X_d for the eight rows that follow each other at `state`, as float64, to `out`.
 *
 * Eight accumulators, one a row: each part of `e` is loaded once, and eight additions that do
 * not wait for each other are under way.
 */
export function dots(state: usize, e: usize, out: usize): void {
	let s0 = f32x4.splat(0);
	let s1 = f32x4.splat(0);
	let s2 = f32x4.splat(0);
	let s3 = f32x4.splat(0);
	let s4 = f32x4.splat(0);
	let s5 = f32x4.splat(0);
	let s6 = f32x4.splat(0);
	let s7 = f32x4.splat(0);
	for (const end = e + ROW; e < end; e += 16, state += 16) {
		const part = v128.load(e);
		s0 = f32x4.add(s0, f32x4.mul(part, v128.load(state)));
		s1 = f32x4.add(s1, f32x4.mul(part, v128.load(state, 4096)));
		s2 = f32x4.add(s2, f32x4.mul(part, v128.load(state, 8192)));
		s3 = f32x4.add(s3, f32x4.mul(part, v128.load(state, 12288)));
		s4 = f32x4.add(s4, f32x4.mul(part, v128.load(state, 16384)));
		s5 = f32x4.add(s5, f32x4.mul(part, v128.load(state, 20480)));
		s6 = f32x4.add(s6, f32x4.mul(part, v128.load(state, 24576)));
		s7 = f32x4.add(s7, f32x4.mul(part, v128.load(state, 28672)));
	}

	f64.store(out, total(s0));
	f64.store(out, total(s1), 8);
	f64.store(out, total(s2), 16);
	f64.store(out, total(s3), 24);
	f64.store(out, total(s4), 32);
	f64.store(out, total(s5), 40);
	f64.store(out, total(s6), 48);
	f64.store(out, total(s7), 56);
}
