/** All products of an input and a state that a cycle needs, in one pass over the nine vectors. */
import {plus, ROW, total} from './vector';

/**
 * Writes, as float64, to `out`: e·X_d for the eight rows, ‖e‖², thirdness·secondness and
 * thirdness·valeurs.
 *
 * The rows lie 4160 bytes apart from `state` on: 4 KiB and a cache line, since at exactly 4 KiB
 * all of them would map to the same cache sets. Thirdness has a separate address, because a
 * cycle replaces that row.
 *
 * One accumulator per row: each part of a vector is loaded once, and eleven independent additions are in flight. The two products of
 * thirdness cost nothing, because their parts are already loaded. The order of the lines keeps all within the 16 registers of x86-64.
 *
 * Measured and rejected: 32 or 64 bytes per step (registers spill, 20 % slower), four rows and then
 * the other four (10 % slower), constant addresses instead of pointers (no faster).
 */
export function compare(state: usize, thirdness: usize, e: usize, out: usize): void {
	let s0 = f32x4.splat(0);
	let s1 = f32x4.splat(0);
	let s2 = f32x4.splat(0);
	let s3 = f32x4.splat(0);
	let s4 = f32x4.splat(0);
	let s5 = f32x4.splat(0);
	let s6 = f32x4.splat(0);
	let s7 = f32x4.splat(0);
	let ee = f32x4.splat(0);
	let ts = f32x4.splat(0);
	let tv = f32x4.splat(0);
	for (const end = e + ROW; e < end; e += 16, state += 16, thirdness += 16) {
		const part = v128.load(e);
		const third = v128.load(thirdness);
		const second = v128.load(state, 4160);
		s0 = plus(s0, part, v128.load(state));
		s1 = plus(s1, part, second);
		ts = plus(ts, third, second);
		s2 = plus(s2, part, third);
		s3 = plus(s3, part, v128.load(state, 12480));
		s4 = plus(s4, part, v128.load(state, 16640));
		s5 = plus(s5, part, v128.load(state, 20800));
		s6 = plus(s6, part, v128.load(state, 24960));
		const values = v128.load(state, 29120);
		s7 = plus(s7, part, values);
		tv = plus(tv, third, values);
		ee = plus(ee, part, part);
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
	f64.store(out, total(ts), 72);
	f64.store(out, total(tv), 80);
}
