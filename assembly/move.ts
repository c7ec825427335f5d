/** The step of a cycle: thirdness moved by a limited pull, and brought back to unit length. */
import {ROW, total} from './vector';

/**
 * raw = Σ c_k (e − X_k) over secondness, thirdness and valeurs; thirdness' = normalise(X_t + delta),
 * delta being raw cut to the length `limit`.
 *
 * Two passes. The first leaves raw where the new row goes and takes the sums; with them the new
 * row's length is known before it is made: ‖t + k·raw‖² = ‖t‖² + 2k t·raw + k²‖raw‖². The second
 * makes the row out of raw.
 *
 * All is made of differences, so that a tiny pull keeps its digits.
 *
 * @param squares ‖X_t‖²
 * @param row where the new row goes; none of the others lies there
 * @param out where ‖raw‖ and the three ‖e − X_k‖² go, float64
 */
export function move(e: usize, s: usize, t: usize, v: usize, cs: f32, ct: f32, cv: f32, squares: f64, limit: f64, row: usize, out: usize): void {
	const fs = f32x4.splat(cs);
	const ft = f32x4.splat(ct);
	const fv = f32x4.splat(cv);
	let rr = f32x4.splat(0);
	let tr = f32x4.splat(0);
	let gs = f32x4.splat(0);
	let gt = f32x4.splat(0);
	let gv = f32x4.splat(0);
	for (let i: usize = 0; i < ROW; i += 16) {
		const part = v128.load(e + i);
		const third = v128.load(t + i);
		const ds = f32x4.sub(part, v128.load(s + i));
		const dt = f32x4.sub(part, third);
		const dv = f32x4.sub(part, v128.load(v + i));
		const raw = f32x4.add(f32x4.add(f32x4.mul(fs, ds), f32x4.mul(ft, dt)), f32x4.mul(fv, dv));
		v128.store(row + i, raw);
		rr = f32x4.add(rr, f32x4.mul(raw, raw));
		tr = f32x4.add(tr, f32x4.mul(third, raw));
		gs = f32x4.add(gs, f32x4.mul(ds, ds));
		gt = f32x4.add(gt, f32x4.mul(dt, dt));
		gv = f32x4.add(gv, f32x4.mul(dv, dv));
	}

	const rawSquares = total(rr);
	const magnitude = Math.sqrt(rawSquares);
	const k = magnitude > limit ? limit / magnitude : 1.0;
	const length = Math.sqrt(Math.max(squares + 2.0 * k * total(tr) + k * k * rawSquares, 0.0));
	const inverse: f64 = length > 0 ? 1.0 / length : 0.0;
	f64.store(out, magnitude);
	f64.store(out, total(gs), 8);
	f64.store(out, total(gt), 16);
	f64.store(out, total(gv), 24);

	// (t + k raw) / length, written as t plus something small: what is rounded at the size of t is rounded once.
	const ofRaw = f32x4.splat(<f32>(k * inverse));
	const ofThird = f32x4.splat(<f32>(inverse - 1.0));
	for (let i: usize = 0; i < ROW; i += 16) {
		const third = v128.load(t + i);
		v128.store(row + i, f32x4.add(third, f32x4.add(f32x4.mul(ofRaw, v128.load(row + i)), f32x4.mul(ofThird, third))));
	}
}
