/** Large values in a context: whole for the machines, one line where they are printed. */

/** Gives a value a JSON of one line, so that inspectors and logs of a snapshot stay readable, and private texts stay private. */
export const oneLine = <Value extends object>(value: Value, line: string): Value =>
	Object.defineProperty(value, 'toJSON', {value: () => line, configurable: true});
