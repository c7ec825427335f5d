/** A state on its directions. */
import {dot, ROW} from './vector';

/** Writes X_{rows[i]} · v_i, as float64, to `out`, for `count` directions that follow each other at `directions`. */
export function project(state: usize, directions: usize, rows: usize, count: u32, out: usize): void {
	for (let i: u32 = 0; i < count; i++) {
		f64.store(out + (<usize>i << 3), dot(state + <usize>load<u8>(rows + i) * ROW, directions + <usize>i * ROW));
	}
}
