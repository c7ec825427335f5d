/** The step of a cycle: the exact strength of a pull, and the new row of thirdness. */
import {plus, ROW, total} from './vector';

/**
 * ‖raw‖² and t·raw, as float64, to `out`, for raw = Σ c_k (e − X_k) over secondness, thirdness
 * and valeurs. Computed from differences, which keep the digits of a pull that is much smaller than its parts.
 */
export function pull(e: usize, s: usize, t: usize, v: usize, cs: f32, ct: f32, cv: f32, out: usize): void {
	const fs = f32x4.splat(cs);
	const ft = f32x4.splat(ct);
	const fv = f32x4.splat(cv);
	let rr = f32x4.splat(0);
	let tr = f32x4.splat(0);
	for (let i: usize = 0; i < ROW; i += 16) {
		const part = v128.load(e + i);
		const third = v128.load(t + i);
		const second = f32x4.mul(fs, f32x4.sub(part, v128.load(s + i)));
		const raw = plus(plus(second, ft, f32x4.sub(part, third)), fv, f32x4.sub(part, v128.load(v + i)));
		rr = plus(rr, raw, raw);
		tr = plus(tr, third, raw);
	}

	f64.store(out, total(rr));
	f64.store(out, total(tr), 8);
}

/**
 * Writes t + (ofInput e + ofSecond s + ofThird t + ofValues v) to `row`, and to `out` its ‖row‖², ‖row − r‖² and
 * ‖row − t‖², as float64.
 *
 * The change is added to t, instead of scaling t, so that rounding at the size of t happens once. The sums have the bits of `squares`
 * and `squaredGap`, so that later measurements of the row agree.
 *
 * @param r The reference's thirdness.
 * @param row The address of the result; it must not overlap the others.
 */
export function move(e: usize, s: usize, t: usize, v: usize, r: usize, ofInput: f32, ofSecond: f32, ofThird: f32, ofValues: f32, row: usize, out: usize): void {
	const fe = f32x4.splat(ofInput);
	const fs = f32x4.splat(ofSecond);
	const ft = f32x4.splat(ofThird);
	const fv = f32x4.splat(ofValues);
	let n0 = f32x4.splat(0);
	let n1 = f32x4.splat(0);
	let r0 = f32x4.splat(0);
	let r1 = f32x4.splat(0);
	let t0 = f32x4.splat(0);
	let t1 = f32x4.splat(0);
	for (let i: usize = 0; i < ROW; i += 32) {
		const lowThird = v128.load(t + i);
		const low = f32x4.add(lowThird, f32x4.add(plus(f32x4.mul(ft, lowThird), fe, v128.load(e + i)), plus(f32x4.mul(fs, v128.load(s + i)), fv, v128.load(v + i))));
		v128.store(row + i, low);
		n0 = plus(n0, low, low);
		const lowFar = f32x4.sub(low, v128.load(r + i));
		r0 = plus(r0, lowFar, lowFar);
		const lowStep = f32x4.sub(low, lowThird);
		t0 = plus(t0, lowStep, lowStep);

		const highThird = v128.load(t + i, 16);
		const high = f32x4.add(highThird, f32x4.add(plus(f32x4.mul(ft, highThird), fe, v128.load(e + i, 16)), plus(f32x4.mul(fs, v128.load(s + i, 16)), fv, v128.load(v + i, 16))));
		v128.store(row + i, high, 16);
		n1 = plus(n1, high, high);
		const highFar = f32x4.sub(high, v128.load(r + i, 16));
		r1 = plus(r1, highFar, highFar);
		const highStep = f32x4.sub(high, highThird);
		t1 = plus(t1, highStep, highStep);
	}

	f64.store(out, total(n0) + total(n1));
	f64.store(out, total(r0) + total(r1), 8);
	f64.store(out, total(t0) + total(t1), 16);
}
