/**
 * What an application brings: a value, or a function that makes it during the boot.
 *
 * A value is lent: it stays the application's, and nothing frees it. What a function makes is
 * owned by the identity, which disposes of it at its end.
 */
import type {Encoder} from '../embedding/encoder.ts';
import {ConfigurationError, isOutage, ProcessualError, reasonOf, type Warn} from '../platform/errors.ts';

/** What a source can use during the boot. */
export type Boot = {
	/** The encoder, whose model is loaded. */
	readonly encoder: Encoder;
	/** Aborts when the identity is stopped during its boot. */
	readonly signal: AbortSignal;
	/** Adds a warning to the report of this step. */
	readonly warn: Warn;
};

/** A value, or a function that makes it during the boot. */
export type Source<Value, Given = Boot> = Value | ((boot: Given) => Value | Promise<Value>);

/** Whether the source makes its value, rather than being it. Values are no functions. */
export const isMaker = <Value, Given>(source: Source<Value, Given>): source is (boot: Given) => Value | Promise<Value> =>
	typeof source === 'function';

/** The source's value. @throws what its function throws */
export const resolveSource = async <Value, Given>(source: Source<Value, Given>, boot: Given): Promise<Value> =>
	isMaker(source) ? source(boot) : source;

const replaceable = new WeakSet<object>();

/** Marks a function of ours, a default or one of the service: where it fails, the boot continues with its fallback, and warns. */
export const mayFail = <Make extends object>(make: Make): Make => {
	replaceable.add(make);
	return make;
};

/**
 * What an application gave cannot be used: a value, or a function that has failed. Nothing stands in for it: an identity
 * would begin as somebody else, and stay so.
 */
export class GivenPartError extends ConfigurationError {
	override readonly name = 'GivenPartError';
}

/**
 * The value of an option's source.
 *
 * @param check Throws for a value that cannot be used.
 * @throws {GivenPartError} for a function that fails and for what the check refuses, unless the function {@link mayFail};
 * an outage and a signal's reason stay as they are
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
