/** The two measures of an angle that both kernels use, computed from sums over the vectors. */

/**
 * The cosine of two vectors from their product and their norms; 0 where either is a zero vector.
 * The quotient is clamped to ±1, since rounding may carry it past.
 */
export const cosine = (product: number, a: number, b: number): number =>
	a === 0 || b === 0 ? 0 : Math.min(1, Math.max(-1, product / (a * b)));

/**
 * 1 − cos of two vectors from ‖x − r‖² and their norms; 1 where either is a zero vector.
 *
 * 2‖x‖‖r‖ (1 − cos) = ‖x − r‖² − (‖x‖ − ‖r‖)² keeps small distances, which one minus a rounded
 * product would lose.
 */
export const angularDistance = (squaredGap: number, a: number, b: number): number =>
	a === 0 || b === 0 ? 1 : Math.min(2, Math.max(0, (squaredGap - (a - b) ** 2) / (2 * a * b)));
