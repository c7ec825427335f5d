/** Ranks from 1; equal values share their mean rank. */
const ranks = (values: readonly number[]): number[] => values.map(value => {
	const below = values.filter(other => other < value).length;
	return below + (values.filter(other => other === value).length + 1) / 2;
});

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Spearman's ρ. */
export const correlate = (a: readonly number[], b: readonly number[]): number => {
	const [x, y] = [ranks(a), ranks(b)];
	const [mx, my] = [mean(x), mean(y)];
	const covariance = mean(x.map((value, i) => (value - mx) * (y[i]! - my)));
	return covariance / Math.sqrt(mean(x.map(value => (value - mx) ** 2)) * mean(y.map(value => (value - my) ** 2)));
};
