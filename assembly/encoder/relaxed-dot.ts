/** Adds four products of an int8 weight and a byte to each of four sums. Bytes under 128 have one result on every host. */
@inline
export function plus(sum: v128, weights: v128, bytes: v128): v128 {
	return ASC_FEATURE_RELAXED_SIMD ? i32x4.relaxed_dot_i8x16_i7x16_add_s(weights, bytes, sum) : sum;
}
