/** An identity, and its journal in memory. */
import {FakeJournal} from './fake-journal.ts';
import {startIdentity} from './fixtures.ts';

export const startDurable = async (journal = new FakeJournal(), options: Parameters<typeof startIdentity>[0] = {}) =>
	({journal, ...await startIdentity({journal, ...options})});
