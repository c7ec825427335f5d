/**
 * The sources that an application gives to an identity: values, or functions that make them during the boot.
 *
 * A value is lent: it stays the application's, and nothing frees it. The result of a function is
 * owned by the identity, which disposes of it at its end.
 */
import type {Encoder} from '../embedding/encoder.ts';
import {ConfigurationError, isOutage, ProcessualError, reasonOf, type Warn} from '../platform/errors.ts';

/** The tools of a source during the boot. */
export type Boot = {
	/** The encoder, with its model loaded. */
	readonly encoder: Encoder;
	/** Aborts if the identity is stopped during its boot. */
	readonly signal: AbortSignal;
	/** Adds a warning to the report of this step. */
	readonly warn: Warn;
};

/** A value, or a function that makes it during the boot. */
export type Source<Value, Given = Boot> = Value | ((boot: Given) => Value | Promise<Value>);

/** Whether the source is a function that makes the value. Values themselves are never functions. */
export const isMaker = <Value, Given>(source: Source<Value, Given>): source is (boot: Given) => Value | Promise<Value> =>
	typeof source === 'function';

/** The source's value. @throws whatever its function throws */
export const resolveSource = async <Value, Given>(source: Source<Value, Given>, boot: Given): Promise<Value> =>
	isMaker(source) ? source(boot) : source;

const replaceable = new WeakSet<object>();

/** Marks a function of this package, such as a default. If it fails, the boot warns, and continues with a fallback. */
export const mayFail = <Make extends object>(make: Make): Make => {
	replaceable.add(make);
	return make;
};

/**
 * A part that the application gave cannot be used: the value is invalid, or its function failed. There is no fallback,
 * because the identity would begin as somebody else, for good.
 */
export class GivenPartError extends ConfigurationError {
	override readonly name = 'GivenPartError';
}

/**
 * Resolves the source of an option.
 *
 * @param check Throws for a value that cannot be used.
 * @throws {GivenPartError} if the function fails or the check refuses the value, unless the function {@link mayFail};
 * an outage and the signal's reason pass through
 */
export const resolveGiven = async <Value>(
	option: string, source: Source<Value>, boot: Boot, check: (value: Value) => void = () => {},
): Promise<Value> => {
	try {
		const value = await resolveSource(source, boot);
		check(value);
		return value;
	} catch (error) {
		throw boot.signal.aborted || isOutage(error) || (isMaker(source) && replaceable.has(source))
			? error
			: new GivenPartError(`The option ${option} could not be ${isMaker(source) ? 'made' : 'used'}: ${reasonOf(error)}`, {
					cause: error, retryable: error instanceof ProcessualError && error.retryable,
				});
	}
};
