/** Time, randomness and timers, injected so that a test controls them. The machines wait on XState's clock. */
import {currentLanguage} from './phrase.ts';

/** A wall clock for timestamps and a monotonic one for durations. */
export interface Time {
	/** Milliseconds since the epoch. */
	now(): number;
	/** Milliseconds of a monotonic clock; only differences have a meaning. */
	elapsed(): number;
}

export const systemTime: Time = {
	now: () => Date.now(),
	elapsed: () => performance.now(),
};

/** The current time in ISO 8601, UTC with `Z`. */
export const timestampOf = (time: Time): string => new Date(time.now()).toISOString();

/** A day, or a day and a time, in ISO 8601 or a similar form. */
const isoTime = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?) ?(Z|[+-]\d\d:?\d\d)?)?$/i;

/** Whether a time is in the years 0000 to 9999 of UTC, which ISO 8601 writes with four digits and all functions here can read. */
export const hasYear = (time: number): boolean => time >= -62_167_219_200_000 && time <= 253_402_300_799_999;

/**
 * Reads a time in ISO 8601; without a zone it is in UTC.
 *
 * @returns milliseconds since the epoch; NaN for an invalid time, or one that its zone moves out of the years 0000 to 9999
 */
export const readTime = (text: string): number => {
	const [, day, clock = '00:00', zone = 'Z'] = isoTime.exec(text) ?? [];
	// JavaScript reads the 30th of February as the 2nd of March.
	const isCalendarDay = day !== undefined && ((new Date(day).toJSON() as string | null)?.startsWith(day) ?? false);
	const time = isCalendarDay ? Date.parse(`${day}T${clock}${zone.replace(/^(.\d\d)(\d\d)$/, '$1:$2').toUpperCase()}`) : NaN;
	return hasYear(time) ? time : NaN;
};

/** The UTC day of a time, as written in a sentence. */
export const nameDay = (time: string | number): string => {
	const language = currentLanguage();
	const day = new Date(time).toLocaleDateString(language === 'en' ? 'en-GB' : language, {dateStyle: 'long', timeZone: 'UTC'});
	return language === 'fr' ? day.replace(/^1 /, '1er ') : day;
};

/** The UTC day and minute of a time, as written in a sentence. */
export const nameMoment = (time: string): string => `${nameDay(time)}, ${new Date(time).toISOString().slice(11, 16)} UTC`;

/** A source of numbers in [0, 1), such as `Math.random`. */
export type Random = () => number;

/** Timers outside the machines. XState's clocks fit. */
export interface Timers {
	/** Calls back once after a delay. @returns a handle for `clearTimeout` */
	setTimeout(callback: () => void, milliseconds: number): unknown;
	/** Cancels a timer; does nothing when it has fired. */
	clearTimeout(timer: unknown): void;
}

/** Real timers that do not keep the program running. */
export const unrefTimers: Timers = {
	setTimeout(callback, milliseconds) {
		const timer: Partial<NodeJS.Timeout> = setTimeout(callback, milliseconds);
		// In a browser, a timer is a number.
		timer.unref?.();
		return timer;
	},
	clearTimeout: timer => clearTimeout(timer as NodeJS.Timeout),
};

/** A UUID of version 7: an index of such ids grows at its end, so an append touches one page. @param now Milliseconds since 1970. */
export const timeOrderedId = (now: number): string => {
	const milliseconds = Math.max(0, Math.trunc(now)).toString(16).padStart(12, '0');
	return `${milliseconds.slice(0, 8)}-${milliseconds.slice(8)}-7${crypto.randomUUID().slice(15)}`;
};

/**
 * Mulberry32 (Tommy Ettinger, 2017): a small generator of random numbers. A seed gives the same numbers on every host.
 *
 * @param seed Its lowest 32 bits count.
 */
export const mulberry32 = (seed: number): Random => () => {
	seed = (seed + 0x6D_2B_79_F5) | 0;
	let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
	t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
	return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
};
