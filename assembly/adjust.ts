/** The reference's adjustment, one direction at a time. It runs once per start, so it favours accuracy over speed: all in float64. */

/** v += 0.5 (target − v·g) g, for 1024 float64 at `v` and 1024 float32 at `g`. */
export function adjust(v: usize, g: usize, target: f64): void {
	let product: f64 = 0;
	for (let i: usize = 0; i < 1024; i++) {
		product += load<f64>(v + (i << 3)) * <f64>load<f32>(g + (i << 2));
	}

	const step = 0.5 * (target - product);
	for (let i: usize = 0; i < 1024; i++) {
		const place = v + (i << 3);
		store<f64>(place, load<f64>(place) + step * <f64>load<f32>(g + (i << 2)));
	}
}
