/**
 * What an application brings: a value, or a function that makes it during the boot.
 *
 * A value is lent: it stays the application's, and nothing frees it. What a function makes is
 * owned by the identity, which disposes of it at its end.
 */
import type {Encoder} from '../embedding/encoder.ts';
import type {Warn} from '../warn.ts';

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
export const isMaker = <Value, Given>(source: Source<Value, Given>): source is (boot: Given) => Value | Promise<Value> => typeof source === 'function';

/** The source's value. @throws what its function throws */
export const resolveSource = async <Value, Given>(source: Source<Value, Given>, boot: Given): Promise<Value> => isMaker(source) ? source(boot) : source;
