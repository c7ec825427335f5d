/** A version to come: the journal's steps, and one more that writes into every record. */
import {steps} from '../../src/journal/sqlite/format-version.ts';

export const secondVersion: typeof steps = [...steps, database => {
	database.exec('alter table records add column length integer; update records set length = length(content)');
}];
