/**
 * The Mahalanobis distance from ordinary talk: the more unusual a vector, the longer it is
 * (`docs/spec/instruments.md#4-validate-conversations-drift`). D(y)² = yᵀΣ_a⁻¹y/d, where Σ_a is the shrunk covariance of ordinary
 * texts. That is the squared length of the whitened vector C⁻¹y/√d.
 */
import {measureCovariance, product, timesTransposed, whitenBy, type Covariance} from '../../semiosis/covariance.ts';

/** The covariance of ordinary texts. */
export type Measure = Covariance;

/** The shrinkage of Σ_a towards a multiple of the identity; the estimator of Ledoit and Wolf (2004) gives .13 to .15 here. */
const shrinkage = 0.2;

/** @param texts At least two different vectors, all of one width. */
export const learnMeasure = (texts: readonly Float32Array[], a = shrinkage): Measure => measureCovariance(texts, a);

/** The whitened vector C⁻¹y/√d of y = vector − mean. @param mean 0 by default. */
export const whiten = (measure: Measure, vector: ArrayLike<number>, mean?: Float64Array): Float64Array =>
	whitenBy(measure, vector, 1 / Math.sqrt(measure.width), mean);

/** D, the length of a difference from the ordinary mean; about 1 for a single ordinary text. */
export const distanceOf = (measure: Measure, difference: ArrayLike<number>): number => lengthOf(whiten(measure, difference));

export const lengthOf = (white: Float64Array): number => Math.sqrt(product(white, white));

/**
 * A direction g for whitened rows: its product with the whitened y is y·g/√(gᵀΣ_a g), the projection of y in standard
 * deviations of single ordinary texts.
 */
export const whitenDirection = (measure: Measure, direction: Float32Array): Float64Array => {
	const along = timesTransposed(measure, direction);
	const length = lengthOf(along) / Math.sqrt(measure.width);
	return along.map(value => value / length);
};
