/** After a restart, the journal's records tell which texts the model cannot read. */
import test from 'ava';
import type {CycleRecord} from '../../src/journal/journal.ts';
import {UnreadTextsError} from '../../src/platform/errors.ts';
import {createSqliteJournal} from '../helpers/one-thread.ts';
import {FakeJournal} from '../actors/fake-journal.ts';
import {FakeEncoder, startIdentity} from '../actors/fixtures.ts';
import {temporaryFolder} from '../journal/records.ts';

const french = ['Je me souviens de la mer et du silence après la pluie.', 'La vérité compte plus pour moi que la politesse.'];

const readsEnglish = async () => Object.assign(new FakeEncoder(), {languages: ['en']});

/** A journal of French texts, whose records have this token report. */
const journalOf = async (tokenReport: CycleRecord['tokenReport']): Promise<FakeJournal> => {
	const journal = new FakeJournal();
	const {identity} = await startIdentity({journal, encoder: readsEnglish});
	for (const content of french) {
		await identity.cycle(content);
	}

	await identity.dispose();
	journal.records = journal.records.map(record => ({...record, tokenReport}) as CycleRecord);
	return journal;
};

const refusalOf = async (journal: FakeJournal): Promise<string | undefined> => {
	const {identity} = await startIdentity({journal, encoder: readsEnglish});
	return identity.validate({note: 'Who it is.'}).then(
		() => undefined,
		(error: Error) => error instanceof UnreadTextsError ? error.message : error.name,
	);
};

test('the language of a text is that of its record', async t => {
	t.regex(String(await refusalOf(await journalOf({language: 'oc'}))), /2 in “oc”/);
	t.is(await refusalOf(await journalOf({language: 'en'})), 'BaselineTooShortError');
});

test('the language of a text is detected if its record has none', async t => {
	t.regex(String(await refusalOf(await journalOf({}))), /2 in “fr”/);
});

test('languages are known if the journal keeps hashes of the texts', async t => {
	const folder = await temporaryFolder(t);
	const start = async () => startIdentity({journal: createSqliteJournal({folder, content: 'hash'}), encoder: readsEnglish});
	const {identity} = await start();
	for (const content of french) {
		await identity.cycle(content);
	}

	await identity.dispose();
	const {identity: again} = await start();
	await t.throwsAsync(again.validate({note: 'Who it is.'}), {instanceOf: UnreadTextsError, message: /2 in “fr”/});
	await again.dispose();
});
