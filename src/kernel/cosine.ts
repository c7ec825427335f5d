/**
 * The cosine of two vectors from their product and their norms; 0 where either is a zero vector.
 * Rounding may carry the quotient a little past ±1, where no cosine lies.
 */
export const cosine = (product: number, a: number, b: number): number =>
	a === 0 || b === 0 ? 0 : Math.min(1, Math.max(-1, product / (a * b)));
