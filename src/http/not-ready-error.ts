/** The identity cannot take on work: which of its parts is not ready, and why. */
import {UnavailableError} from '../platform/errors.ts';

/** Trying again can help while the identity boots, and while its journal is being repaired. */
export class NotReadyError extends UnavailableError {
	override readonly name = 'NotReadyError';
	/** Part → `ok`, or why it is not. */
	readonly parts: Readonly<Record<string, string>>;

	constructor(parts: Readonly<Record<string, string>>, isTemporary: boolean) {
		const reasons = Object.entries(parts).filter(([, state]) => state !== 'ok').map(([part, state]) => `${part}: ${state}`);
		super(`Not ready. ${reasons.join('; ')}`, {retryable: isTemporary});
		this.parts = parts;
	}
}
