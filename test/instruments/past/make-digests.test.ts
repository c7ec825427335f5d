/** How an identity makes its missing digests while it runs. */
import test from 'ava';
import {digestLength, headOf} from '../../../src/instruments/digest.ts';
import {Past} from '../../../src/instruments/past/past.ts';
import type {Questions} from '../../../src/instruments/past/questions.ts';
import {createSqliteJournal} from '../../helpers/one-thread.ts';
import {temporaryFolder} from '../../journal/records.ts';
import {startHistory} from '../recorded-history.ts';

test('one missing digest is made without a thread; several are left to a thread', async t => {
	let threads = 0;
	const questions = {
		run: async (_: object, ask: (pool: object, signal: AbortSignal) => Promise<unknown>) => ask({
			async run() {
				threads++;
				return [];
			},
		}, new AbortController().signal),
	} as unknown as Questions;
	const newestOf = async (texts: number): Promise<number> => {
		const history = startHistory(11).talk(texts);
		const journal = createSqliteJournal({folder: await temporaryFolder(t)});
		t.teardown(async () => journal.close());
		await journal.open();
		await history.writeTo(journal);
		const {digests} = journal;
		const port = {
			read: async (from: number, count: number) => journal.read(from, count), records: texts, validation: async () => null,
			decisions: async () => [], held: async () => [], digests,
		};
		await new Past(port, history.rules.kernel, () => history.rules, questions).digest();
		const newest = await digests!.newest();
		return newest ? headOf(newest).last : 0;
	};

	t.is(await newestOf(digestLength + 100), digestLength);
	t.is(threads, 0);
	t.is(await newestOf(2 * digestLength), 0);
	t.is(threads, 1);
});
