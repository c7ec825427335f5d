/** Layer normalisation: (x − mean) / √(variance + ε) · gain + bias, for each row. */
import {total} from '../vector';

const EPSILON: f64 = 1e-6;

export function normalise(x: usize, rows: usize, width: usize, gain: usize, bias: usize, out: usize): void {
	const bytes = width * 4;
	for (const end = x + rows * bytes; x < end; x += bytes, out += bytes) {
		let s0 = f32x4.splat(0);
		let s1 = f32x4.splat(0);
		for (let i: usize = 0; i < bytes; i += 32) {
			s0 = f32x4.add(s0, v128.load(x + i));
			s1 = f32x4.add(s1, v128.load(x + i, 16));
		}

		const mean = f32x4.splat(<f32>(total(f32x4.add(s0, s1)) / <f64>width));
		s0 = f32x4.splat(0);
		s1 = f32x4.splat(0);
		for (let i: usize = 0; i < bytes; i += 32) {
			const low = f32x4.sub(v128.load(x + i), mean);
			const high = f32x4.sub(v128.load(x + i, 16), mean);
			s0 = f32x4.add(s0, f32x4.mul(low, low));
			s1 = f32x4.add(s1, f32x4.mul(high, high));
		}

		const inverse = f32x4.splat(<f32>(1 / Math.sqrt(total(f32x4.add(s0, s1)) / <f64>width + EPSILON)));
		for (let i: usize = 0; i < bytes; i += 16) {
			const factor = f32x4.mul(v128.load(gain + i), inverse);
			v128.store(out + i, f32x4.add(f32x4.mul(f32x4.sub(v128.load(x + i), mean), factor), v128.load(bias + i)));
		}
	}
}
