/** Selects the directions that instruments read (`docs/spec/instruments.md#3-profile-with-units`). */
import {memoizeWeak} from '../platform/immutable.ts';
import type {Direction} from '../semiosis/profile.ts';
import {minQuality} from '../semiosis/quality.ts';

/** Whether a direction tells its poles apart well enough. If its sentences are not known, it is assumed to. */
export const isWorthReading = ({reading}: Pick<Direction, 'reading'>): boolean => (reading?.quality ?? 1) >= minQuality;

/** The directions that have a vector, each with the vector of its reading. Memoized, so that a kernel can cache the list. */
export const toRead = memoizeWeak((directions: readonly Direction[]): readonly Direction[] =>
	directions.filter(({vector}) => vector).map(direction => ({...direction, vector: direction.reading?.vector ?? direction.vector!})));

/** The axis that is taken out of all directions; null if none is known. */
export const toneOf = (directions: readonly Direction[]): Direction | null =>
	directions.find(({reading}) => reading?.tone)?.reading!.tone ?? null;

/** A list, followed by the tone if there is one. */
export const withTone = <Value>(list: readonly Value[], tone: Value | null | undefined): Value[] => tone ? [...list, tone] : [...list];

/** The directions that are worth reading, and the tone, each with the vector of its reading. Memoized, as in {@link toRead}. */
export const selectReadable = memoizeWeak((directions: readonly Direction[]): readonly Direction[] =>
	toRead(withTone(directions, toneOf(directions)).filter(isWorthReading)));
