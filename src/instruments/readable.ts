/** The directions as instruments read them (`docs/spec/instruments.md#3-profile-with-units`). */
import {memoizeWeak} from '../platform/immutable.ts';
import type {Direction} from '../semiosis/profile.ts';
import {minQuality} from '../semiosis/quality.ts';

/** Whether a direction says what its poles say; of one whose sentences are not known that is not doubted. */
export const isWorthReading = ({reading}: Pick<Direction, 'reading'>): boolean => (reading?.quality ?? 1) >= minQuality;

/** Each direction that has a vector, with what is read of it in its place. The same list each time, so that a kernel can cache it. */
export const toRead = memoizeWeak((directions: readonly Direction[]): readonly Direction[] =>
	directions.filter(({vector}) => vector).map(direction => ({...direction, vector: direction.reading?.vector ?? direction.vector!})));

/** The axis that is taken out of all directions; null where none is known. */
export const toneOf = (directions: readonly Direction[]): Direction | null =>
	directions.find(({reading}) => reading?.tone)?.reading!.tone ?? null;

/** A list, and the tone after it where there is one. */
export const withTone = <Value>(list: readonly Value[], tone: Value | null | undefined): Value[] => tone ? [...list, tone] : [...list];

/** What a reader learns of: the tone once, and all that is worth it, each by its own part. */
export const selectReadable = memoizeWeak((directions: readonly Direction[]): readonly Direction[] =>
	toRead(withTone(directions, toneOf(directions)).filter(isWorthReading)));
