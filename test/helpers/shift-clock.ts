/**
 * A wall clock that is wrong: preloaded into a process (`clockSettings`), it shifts what `Date` says.
 * Clocks of durations stay as they are, as on a machine whose time is set wrong.
 */
const shiftMs = Number(process.env['CLOCK_SHIFT_MS'] ?? 0);

globalThis.Date = new Proxy(Date, {
	construct: (target, values, self) => Reflect.construct(target, values.length === 0 ? [target.now() + shiftMs] : values, self) as Date,
	apply: target => new target(target.now() + shiftMs).toString(),
	get: (target, key) => key === 'now' ? () => target.now() + shiftMs : Reflect.get(target, key) as unknown,
});

/** The settings of a process whose clock is wrong by so much. */
export const clockSettings = (milliseconds: number): Record<string, string> =>
	({CLOCK_SHIFT_MS: String(milliseconds), NODE_OPTIONS: `--import=${import.meta.url}`});
