/** Four products of an int8 weight and a byte under 128, added to each of four sums: the relaxed operation has one result on every host then. */
@inline
export function plus(sum: v128, weights: v128, bytes: v128): v128 {
	return ASC_FEATURE_RELAXED_SIMD ? i32x4.relaxed_dot_i8x16_i7x16_add_s(weights, bytes, sum) : sum;
}
