/** Keeps the digests of a long past up to date, in a thread, so that questions need not read all of it. */
import type {MachineDeps} from '../actors/deps.ts';
import {digestLength} from '../instruments/digest.ts';
import type {Past} from '../instruments/past/past.ts';
import {reasonOf, type Warn} from '../platform/errors.ts';

type DigesterDeps = Pick<MachineDeps, 'recordListeners'> & {
	readonly past: Pick<Past, 'records' | 'digest'>;
	readonly warn: Warn;
};

export class Digester {
	readonly #deps: DigesterDeps;
	/** The number of records at which digests are due next. */
	#next = digestLength;
	#isAtWork = false;

	readonly #hear = (): void => {
		void this.check();
	};

	constructor(deps: DigesterDeps) {
		this.#deps = deps;
		deps.recordListeners.add(this.#hear);
	}

	close(): void {
		this.#deps.recordListeners.delete(this.#hear);
	}

	/** Makes the digests that are due. Called for every record; costs nothing until some are due. */
	async check(): Promise<void> {
		const {past, warn} = this.#deps;
		const {records} = past;
		if (this.#isAtWork || records < this.#next) {
			return;
		}

		this.#isAtWork = true;
		try {
			await past.digest();
			this.#next = (Math.floor(records / digestLength) + 1) * digestLength;
		} catch (error) {
			// Try again one digest later.
			this.#next = records + digestLength;
			if (this.#deps.recordListeners.has(this.#hear)) {
				warn(`Questions about a long past take longer: its digests are not saved. ${reasonOf(error)}`, error);
			}
		} finally {
			this.#isAtWork = false;
		}
	}
}
