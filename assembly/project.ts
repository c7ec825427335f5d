/** A row of a state on directions. */
import {ROW, total} from './vector';

/**
 * Writes x·v for four vectors that lie 4160 bytes apart from `v` on, as float64, to `out`.
 *
 * Four at a time, so that each part of the row is loaded once for all of them; two accumulators
 * for each keep eight additions under way. A product's bits do not depend on which of the four it is.
 */
export function project(x: usize, v: usize, out: usize): void {
	let a0 = f32x4.splat(0);
	let a1 = f32x4.splat(0);
	let b0 = f32x4.splat(0);
	let b1 = f32x4.splat(0);
	let c0 = f32x4.splat(0);
	let c1 = f32x4.splat(0);
	let d0 = f32x4.splat(0);
	let d1 = f32x4.splat(0);
	for (const end = x + ROW; x < end; x += 32, v += 32) {
		const low = v128.load(x);
		a0 = f32x4.add(a0, f32x4.mul(low, v128.load(v)));
		b0 = f32x4.add(b0, f32x4.mul(low, v128.load(v, 4160)));
		c0 = f32x4.add(c0, f32x4.mul(low, v128.load(v, 8320)));
		d0 = f32x4.add(d0, f32x4.mul(low, v128.load(v, 12480)));
		const high = v128.load(x, 16);
		a1 = f32x4.add(a1, f32x4.mul(high, v128.load(v, 16)));
		b1 = f32x4.add(b1, f32x4.mul(high, v128.load(v, 4176)));
		c1 = f32x4.add(c1, f32x4.mul(high, v128.load(v, 8336)));
		d1 = f32x4.add(d1, f32x4.mul(high, v128.load(v, 12496)));
	}

	f64.store(out, total(a0) + total(a1));
	f64.store(out, total(b0) + total(b1), 8);
	f64.store(out, total(c0) + total(c1), 16);
	f64.store(out, total(d0) + total(d1), 24);
}
