/** Where a forgetting ends, this program's memory has nothing of the texts. */
import {setTimeout} from 'node:timers/promises';
import {getHeapSnapshot, setFlagsFromString} from 'node:v8';
import {runInNewContext} from 'node:vm';
import test from 'ava';
import {startIdentity, vectorOf} from '../actors/fixtures.ts';
import {createSqliteJournal} from '../helpers/one-thread.ts';
import {temporaryFolder} from '../journal/records.ts';

const passport = {model: 'fake', width: 1024, pooling: 'none', prefix: '', dtype: 'fp32'} as const;

/** Made each time: a literal would stay in memory. */
const secret = (): string => ['vik', 'tor', 'ia'].join('');

const isInMemory = async (): Promise<boolean> => {
	setFlagsFromString('--expose-gc');
	(runInNewContext('gc') as () => void)();
	await setTimeout();
	let [isFound, end] = [false, ''];
	for await (const chunk of getHeapSnapshot() as AsyncIterable<Buffer>) {
		const text = end + chunk.toString('latin1');
		isFound ||= text.includes(secret());
		end = text.slice(-secret().length);
	}

	return isFound;
};

test('after a forgetting no cached answer has a source or an id', async t => {
	const journal = createSqliteJournal({folder: await temporaryFolder(t)});
	const {identity} = await startIdentity({journal, encoder: async () => ({passport, embed: async text => vectorOf(text)})});
	for (let i = 0; i < 10; i++) {
		await identity.cycle({content: `${i}`, id: `${secret()}-${i}`, source: i % 2 === 0 ? secret() : 'self'});
	}

	for (const since of [undefined, 2, 4]) {
		await identity.drift({since});
	}

	t.true(await isInMemory());
	await identity.forget({ids: Array.from({length: 10}, (_, i) => `${secret()}-${i}`), note: 'Asked for.'});
	t.false(await isInMemory());
	await identity.dispose();
});
