/** The text's vector from its tokens' rows. */
import {exp} from './exponential';

/** The mean of the rows. */
export function average(x: usize, rows: usize, width: usize, out: usize): void {
	const bytes = width * 4;
	const inverse = f32x4.splat(1 / <f32>rows);
	for (let i: usize = 0; i < bytes; i += 16) {
		let sum = f32x4.splat(0);
		for (let r: usize = 0; r < rows; r++) {
			sum = f32x4.add(sum, v128.load(x + i + r * bytes));
		}

		v128.store(out + i, f32x4.mul(sum, inverse));
	}
}

/** tanh in place: 1 − 2 / (e^2x + 1) */
export function tanh(x: usize, width: usize): void {
	const one = f32x4.splat(1);
	const two = f32x4.splat(2);
	for (const end = x + width * 4; x < end; x += 16) {
		v128.store(x, f32x4.sub(one, f32x4.div(two, f32x4.add(exp(f32x4.mul(two, v128.load(x))), one))));
	}
}
