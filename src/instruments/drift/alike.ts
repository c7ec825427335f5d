/** Tests whether neighbouring conversations continue each other. If so, they are not independent units of chance. */
import type {BaselineText, Chance} from '../../journal/validation.ts';
import type {Random} from '../../platform/clock.ts';
import {centredProductsOf, rankAmongDeals} from './deal.ts';
import {observationOf} from './observation.ts';
import {vectorsOf} from './baseline.ts';

const orders = 199;

/** The smallest p: neighbours are more alike than in any of the random orders. */
export const surelyAlike = 1 / (orders + 1);

/** @param mean The mean of the heard texts. */
export const measureAlike = (
	conversations: ReadonlyArray<readonly BaselineText[]>, mean: Float64Array, random: Random,
): Chance['alike'] => {
	const means = conversations.flatMap(texts => {
		const heard = vectorsOf('heard', [texts]);
		return heard.length === 0 ? [] : [observationOf(heard, mean)];
	});
	const products = centredProductsOf(means);
	const places = [...means.keys()];
	const alongOrder = () => places.slice(1).reduce((sum, place, i) => sum + products[places[i]!]![place]!, 0);
	const squares = products.reduce((sum, row, i) => sum + row[i]!, 0);
	const own = alongOrder();
	const r = means.length / (means.length - 1) * own / squares;
	return {r, p: rankAmongDeals(places, random, orders, () => alongOrder() >= own)};
};
