/**
 * Paths: how far a life goes look by look, beside its twins. The largest of all looks is compared, so
 * that p may be looked at always (`docs/spec/instruments.md#4-validate-conversations-drift`).
 */
import type {PathChance} from '../../journal/validation.ts';

/** The first look comes after so many texts, and one more after each so many. */
const [firstLook, lookEvery] = [100, 20];

/** Up to how many texts p holds. */
export const defaultHorizon = 4000;
export const horizons = {minimum: 1000, maximum: 20_000};

/** After how many texts a look is. */
export const textsAt = (look: number): number => firstLook + look * lookEvery;

/** Which look is after so many texts; null where none is. */
export const lookAt = (texts: number): number | null =>
	texts < firstLook || texts % lookEvery !== 0 ? null : (texts - firstLook) / lookEvery;

/** @param distances of each twin at each look; at least one twin */
export const measurePaths = (distances: readonly Float64Array[]): Pick<PathChance, 'medians' | 'largest'> => {
	const medians = Array.from(
		distances[0]!, (_, look) => Float64Array.from(distances, twin => twin[look]!).toSorted()[distances.length >> 1]!,
	);
	const largest = distances.map(twin => twin.reduce((most, distance, look) => Math.max(most, distance / medians[look]!), 0));
	return {medians, largest: largest.toSorted((a, b) => a - b)};
};

/** The probability by rank: how many of some values, and this one, are as large. 1/(n + 1) … 1. */
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
	/** When the text before it was said; milliseconds since the epoch. */
	readonly time: number;
	/** In medians of the twins: 1 is usual. */
	readonly distance: number;
	/** The probability that chance leads as far at any look. It never rises. */
	readonly p: number;
};

/** Whether there is a look after those. After the last one p stays as it is. */
export const isNextLook = ({medians}: Pick<PathChance, 'medians'>, looks: readonly Look[]): boolean => looks.length < medians.length;

/** After how many texts the last look is. */
export const lastTextOf = ({medians}: Pick<PathChance, 'medians'>): number => textsAt(medians.length - 1);

/** Adds the distance at the next look, which there is. */
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
