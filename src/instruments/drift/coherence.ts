/** How alike the texts of a source are (`docs/spec/instruments.md#6-sources`). */
import {product} from '../../semiosis/covariance.ts';

/**
 * The mean product of two different texts' differences from a mean, beside the variance of all: 0 for unlike ones, 1 for equal
 * ones of ordinary length. Texts are unit vectors, so their sum says all.
 *
 * @param sum of the differences of some texts
 * @returns 0 for a single text
 */
export const coherenceOf = ({added, row}: {readonly added: number; readonly row: Float64Array}, mean: Float64Array): number => {
	const variance = 1 - product(mean, mean);
	const squares = added * variance - 2 * product(row, mean);
	return added > 1 ? (product(row, row) - squares) / (added * (added - 1)) / variance : 0;
};
