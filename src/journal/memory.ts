/** The journal of a process that keeps nothing: every start is a new one. */
import type {Journal} from './journal.ts';

export const createMemoryJournal = (): Journal => ({
	open: async () => null,
	async begin() {},
	async append() {},
	async close() {},
});
