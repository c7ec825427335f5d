/** Version 3: whether the identity began at random, so that every start can say so. */
import type {DatabaseSync} from 'node:sqlite';
import {checksumOf} from './checksum.ts';
import {genesisFields, type GenesisRow} from './rows.ts';

export const addRandomBeginning = (database: DatabaseSync): void => {
	database.exec('alter table genesis add column random integer not null default 0');
	// A random state has the id 0.
	database.exec('update genesis set random = initial_state = 0');
	const genesis = database.prepare('select * from genesis').get() as GenesisRow | undefined;
	if (genesis) {
		database.prepare('update genesis set checksum = ?').run(checksumOf(genesisFields(genesis)));
	}
};
