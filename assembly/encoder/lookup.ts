/** The input of the first layer: each token's row of the table, plus the sines of its position. */

/** Rows of int8, each with a scale: out = scale · row + position. */
export function lookupBytes(ids: usize, count: usize, width: usize, table: usize, scales: usize, positions: usize, out: usize): void {
	for (let i: usize = 0; i < count; i++) {
		const id = <usize>load<u16>(ids + 2 * i);
		const scale = v128.load32_splat(scales + 4 * id);
		for (let row = table + id * width, end = row + width; row < end; row += 8, positions += 32, out += 32) {
			const words = v128.load8x8_s(row);
			v128.store(out, f32x4.add(f32x4.mul(f32x4.convert_i32x4_s(i32x4.extend_low_i16x8_s(words)), scale), v128.load(positions)));
			v128.store(out, f32x4.add(f32x4.mul(f32x4.convert_i32x4_s(i32x4.extend_high_i16x8_s(words)), scale), v128.load(positions, 16)), 16);
		}
	}
}
