/**
 * A process whose journal fails while the control file says so: it appends two records, then a third
 * under faults, opens the journal again without them, and appends a fourth. It prints the outcome.
 * `fail-and-open.ts FOLDER CONTROL [again]`: with `again`, an earlier start left the journal without a genesis.
 */
import {writeFileSync} from 'node:fs';
import {reasonOf} from '../../src/platform/errors.ts';
import {createSqliteJournal} from '../../src/journal/sqlite/sqlite-journal.ts';
import {cycle, genesis} from '../journal/records.ts';

const [folder, control, again] = process.argv.slice(2) as [string, string, string?];
const faults = (to: '0' | '1'): void => {
	writeFileSync(control, to, {flag: 'r+'});
};

const journal = createSqliteJournal({folder});
if (again !== undefined) {
	await journal.open();
	await journal.close();
}

await journal.open();
await journal.begin(genesis);
await journal.append(cycle(1));
await journal.append(cycle(2));

faults('1');
const refusal = await journal.append(cycle(3)).then(() => null, reasonOf);
// Opening may fail too; then it is tried again without faults.
const first = await journal.open().then(restored => restored?.records ?? null, reasonOf);
faults('0');
const reopened = typeof first === 'number' ? first : (await journal.open())!.records;

await journal.append(cycle(4));
await journal.close();
process.stdout.write(JSON.stringify({refusal, reopened}));
