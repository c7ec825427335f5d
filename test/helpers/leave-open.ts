/** A program that disposes of nothing: it must exit by itself once its cycles are done. */
import {createIdentity} from '../../src/identity/create-identity.ts';
import {createSqliteJournal} from '../../src/journal/sqlite/sqlite-journal.ts';

const identity = createIdentity({journal: createSqliteJournal({folder: process.argv[2]!})});

// No one waits for these, so only the identity keeps the program alive until the last one is done.
for (const content of ['The sea is quiet today.', 'Let us go on.']) {
	void (async () => {
		const {stateId} = await identity.cycle(content);
		console.log(`state ${stateId}`);
	})();
}
