/** Whether a source talks otherwise than before (`docs/spec/instruments.md#6-sources`). */
import type {Random} from '../platform/clock.ts';
import {meanOf} from './apart.ts';
import {productOf, productsOf, scale, type Whitened} from './whitened.ts';
import {whiten, type Project, type Whitener} from './whitener.ts';

/** A visit: how many texts it has, and the sum of their whitened vectors. */
export type VisitSum = {readonly texts: number; readonly sum: Whitened};

/** Whitens the texts of a visit, and sums them up. */
export const sumVisit = (whitener: Whitener, texts: readonly Float32Array[], project?: Project): VisitSum =>
	({texts: texts.length, sum: scale(whiten(whitener, meanOf(texts), project), texts.length)});

/** The change of a source. */
export type SourceChange = {
	/** The squared distance between the means of its texts before and now. */
	readonly statistic: number;
	/** The probability that chance makes it as great; null with fewer than four visits on a side. */
	readonly p: number | null;
};

/** With fewer visits on a side there are too few ways to deal them. */
const minVisits = 4;

/**
 * Compares the texts of a source before and now. Whole visits are dealt again by chance, because
 * the texts of one visit are alike.
 *
 * @param before at least one visit, as `now`
 */
export const testSourceChange = (before: readonly VisitSum[], now: readonly VisitSum[], random: Random, deals = 999): SourceChange => {
	const visits = [...before, ...now];
	const products = productsOf(visits.map(({sum}) => sum), productOf);
	const distance = distanceBetween(visits.map(({texts}) => texts), products, before.length);
	const places = [...visits.keys()];
	const statistic = distance(places);
	if (Math.min(before.length, now.length) < minVisits) {
		return {statistic, p: null};
	}

	let asGreat = 1;
	for (let deal = 0; deal < deals; deal++) {
		shuffle(places, random);
		// The same deal in another order differs by its rounding.
		asGreat += Number(distance(places) >= statistic * (1 - 1e-9));
	}

	return {statistic, p: asGreat / (deals + 1)};
};

/** ‖B/b − (S − B)/n‖² of a deal, where B is the sum of its first visits, b their texts, S the sum of all visits and n the texts of the others. */
const distanceBetween = (texts: readonly number[], products: readonly Float64Array[], first: number) => {
	const withAll = products.map(row => row.reduce((sum, product) => sum + product, 0));
	const all = withAll.reduce((sum, product) => sum + product, 0);
	const count = texts.reduce((sum, one) => sum + one, 0);
	return (places: readonly number[]): number => {
		let [dealt, own, other] = [0, 0, 0];
		for (let i = 0; i < first; i++) {
			const place = places[i]!;
			const row = products[place]!;
			dealt += texts[place]!;
			other += withAll[place]!;
			for (let j = 0; j < first; j++) {
				own += row[places[j]!]!;
			}
		}

		// B/b − (S − B)/n = (1/b + 1/n) B − S/n.
		const rest = count - dealt;
		const weight = 1 / dealt + 1 / rest;
		return weight ** 2 * own - 2 * weight / rest * other + all / rest ** 2;
	};
};

/** By Fisher and Yates. */
const shuffle = (items: number[], random: Random): void => {
	for (let i = items.length - 1; i > 0; i--) {
		const j = Math.floor(random() * (i + 1));
		[items[i], items[j]] = [items[j]!, items[i]!];
	}
};
