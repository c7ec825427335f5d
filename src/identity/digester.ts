/** Keeps the digests of a long past up to date, in a thread, so that questions need not read all of it. */
import type {MachineDeps} from '../actors/deps.ts';
import {digestLength} from '../instruments/digest.ts';
import type {Past} from '../instruments/past/past.ts';
import {reasonOf, type Warn} from '../platform/errors.ts';

type DigesterDeps = Pick<MachineDeps, 'recordListeners'> & {
	readonly past: Pick<Past, 'records' | 'digest'>;
	readonly warn: Warn;
};

export const createDigester = ({recordListeners, past, warn}: DigesterDeps) => {
	/** The number of records at which digests are due next. */
	let next = digestLength;
	let isAtWork = false;
	/** Makes the digests that are due. Called for every record; costs nothing until some are due. */
	const check = async (): Promise<void> => {
		const {records} = past;
		if (isAtWork || records < next) {
			return;
		}

		isAtWork = true;
		try {
			await past.digest();
			next = (Math.floor(records / digestLength) + 1) * digestLength;
		} catch (error) {
			// Try again one digest later.
			next = records + digestLength;
			if (recordListeners.has(hear)) {
				warn(`Questions about a long past take longer: its digests are not saved. ${reasonOf(error)}`, error);
			}
		} finally {
			isAtWork = false;
		}
	};

	const hear = (): void => {
		void check();
	};

	recordListeners.add(hear);
	return {check, close: () => recordListeners.delete(hear)};
};
