/** Who said a text, as far as its record says. */
import type {StoredCycle} from '../journal/journal.ts';

/** The metadata's `source` if it is a string, else the trigger. A hashed record has its trigger alone. */
export const sourceOf = (cycle: Pick<StoredCycle, 'trigger' | 'isHashed' | 'metadata'>): string => {
	const source = cycle.isHashed ? null : (cycle.metadata as Readonly<Record<string, unknown>>)['source'];
	return typeof source === 'string' ? source : cycle.trigger;
};
