/**
 * The path of a history: its distance at each look, relative to its twins. The largest distance so far is compared with the largest
 * of each twin, so that p holds however often it is looked at (`docs/spec/instruments.md#4-validate-conversations-drift`).
 */
import type {PathChance} from '../../journal/validation.ts';

/** The number of texts at the first look, and between two looks. */
const [firstLook, lookEvery] = [100, 20];

/** The number of texts up to which p holds. */
export const defaultHorizon = 4000;
export const horizons = {minimum: 1000, maximum: 20_000};

/** The number of texts at a look. */
export const textsAt = (look: number): number => firstLook + look * lookEvery;

/** The look at a number of texts, from 0; null if there is none. */
export const lookAt = (texts: number): number | null =>
	texts < firstLook || texts % lookEvery !== 0 ? null : (texts - firstLook) / lookEvery;

/** @param distances The distances of each twin at each look; at least one twin. */
export const measurePaths = (distances: readonly Float64Array[]): Pick<PathChance, 'medians' | 'largest'> => {
	const medians = Array.from(
		distances[0]!, (_, look) => Float64Array.from(distances, twin => twin[look]!).toSorted()[distances.length >> 1]!,
	);
	const largest = distances.map(twin => twin.reduce((most, distance, look) => Math.max(most, distance / medians[look]!), 0));
	return {medians, largest: largest.toSorted((a, b) => a - b)};
};

/** The p-value of a permutation test, 1/(n + 1) … 1: the share of the values, and this one, that are as large. */
export const rankOf = (values: ReadonlyArray<number> | Float64Array, value: number): number => {
	let asLarge = 1;
	for (const one of values) {
		asLarge += Number(one >= value);
	}

	return asLarge / (values.length + 1);
};

/** A distance at a look. */
export type Look = {
	readonly look: number;
	/** The time of the text before it; milliseconds since the epoch. */
	readonly time: number;
	/** In medians of the twins: 1 is usual. */
	readonly distance: number;
	/** The probability that chance leads as far at any look. It never rises. */
	readonly p: number;
};

/** Whether another look follows. After the last one p is final. */
export const isNextLook = ({medians}: Pick<PathChance, 'medians'>, looks: readonly Look[]): boolean => looks.length < medians.length;

/** The number of texts at the last look. */
export const lastTextOf = ({medians}: Pick<PathChance, 'medians'>): number => textsAt(medians.length - 1);

/** Adds the distance at the next look. Call it only if {@link isNextLook}. */
export const addLook = (
	{medians, largest}: Pick<PathChance, 'medians' | 'largest'>, looks: readonly Look[],
	{distance, time}: Pick<Look, 'distance' | 'time'>,
): readonly Look[] => {
	const look = looks.length;
	const relative = distance / medians[look]!;
	// The largest of all looks has the smallest p.
	const p = Math.min(looks.at(-1)?.p ?? 1, rankOf(largest, relative));
	return [...looks, {look, time, distance: relative, p}];
};
