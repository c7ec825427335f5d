/** The exponential of four floats, within 2 units of the last place, with the same bits on every host. */

const LOG2_E: f32 = 1.4426950408889634;
/** ln 2 in two parts: products of the first are exact. */
const LN2_HIGH: f32 = 0.693359375;
const LN2_LOW: f32 = -2.12194440e-4;

/** @returns e^x; 0 under −80, and e^88 above 88 */
@inline
export function exp(x: v128): v128 {
	const bounded = f32x4.max(f32x4.min(x, f32x4.splat(88)), f32x4.splat(-80));
	const n = f32x4.nearest(f32x4.mul(bounded, f32x4.splat(LOG2_E)));
	const r = f32x4.sub(f32x4.sub(bounded, f32x4.mul(n, f32x4.splat(LN2_HIGH))), f32x4.mul(n, f32x4.splat(LN2_LOW)));
	// A polynomial of the Cephes library.
	let p = f32x4.splat(1.9875691500e-4);
	p = f32x4.add(f32x4.mul(p, r), f32x4.splat(1.3981999507e-3));
	p = f32x4.add(f32x4.mul(p, r), f32x4.splat(8.3334519073e-3));
	p = f32x4.add(f32x4.mul(p, r), f32x4.splat(4.1665795894e-2));
	p = f32x4.add(f32x4.mul(p, r), f32x4.splat(1.6666665459e-1));
	p = f32x4.add(f32x4.mul(p, r), f32x4.splat(5.0000001201e-1));
	const value = f32x4.add(f32x4.add(f32x4.mul(p, f32x4.mul(r, r)), r), f32x4.splat(1));
	const power = i32x4.shl(i32x4.add(i32x4.trunc_sat_f32x4_s(n), i32x4.splat(127)), 23);
	return v128.and(f32x4.mul(value, power), f32x4.ge(x, f32x4.splat(-80)));
}
