/** Projection of two states on directions. */
import {plus, total} from './vector';

/**
 * Writes x·v and y·v for four vectors that lie 4160 bytes apart from `v` on, as float64, to `out`: four for x, then four for y. x and
 * y may be the same. After the first `size` bytes, a multiple of 16, the vectors are zero.
 *
 * There are many directions, and they lie deeper in the cache hierarchy than rows. So each part of a direction is loaded once for both
 * states, and each part of a row once for four directions; eight additions are in flight.
 *
 * Measured and rejected: one state at a time (25 % slower for two), six directions at a time
 * (registers spill, 25 % slower).
 */
export function project(x: usize, y: usize, v: usize, size: usize, out: usize): void {
	let x0 = f32x4.splat(0);
	let x1 = f32x4.splat(0);
	let x2 = f32x4.splat(0);
	let x3 = f32x4.splat(0);
	let y0 = f32x4.splat(0);
	let y1 = f32x4.splat(0);
	let y2 = f32x4.splat(0);
	let y3 = f32x4.splat(0);
	for (const end = x + size; x < end; x += 16, y += 16, v += 16) {
		const ofX = v128.load(x);
		const ofY = v128.load(y);
		const v0 = v128.load(v);
		x0 = plus(x0, ofX, v0);
		y0 = plus(y0, ofY, v0);
		const v1 = v128.load(v, 4160);
		x1 = plus(x1, ofX, v1);
		y1 = plus(y1, ofY, v1);
		const v2 = v128.load(v, 8320);
		x2 = plus(x2, ofX, v2);
		y2 = plus(y2, ofY, v2);
		const v3 = v128.load(v, 12480);
		x3 = plus(x3, ofX, v3);
		y3 = plus(y3, ofY, v3);
	}

	f64.store(out, total(x0));
	f64.store(out, total(x1), 8);
	f64.store(out, total(x2), 16);
	f64.store(out, total(x3), 24);
	f64.store(out, total(y0), 32);
	f64.store(out, total(y1), 40);
	f64.store(out, total(y2), 48);
	f64.store(out, total(y3), 56);
}
