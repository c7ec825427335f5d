/** Many long texts and dry runs at the served command: the short texts of others do not wait for them. */
import test from 'ava';
import {createClient} from '../../src/client/index.ts';
import {temporaryFolder} from '../journal/records.ts';
import {startServer} from '../helpers/server-process.ts';

const long = 'The sea is quiet today, and an old sailor tells of distant harbours. '.repeat(1000);

test('a sentence to one identity does not wait for long texts to another one', async t => {
	await using server = startServer(await temporaryFolder(t));
	const baseUrl = await server.ready();
	const loud = createClient({baseUrl});
	await loud.createIdentity('quiet');
	const quiet = createClient({baseUrl, identity: 'quiet'});
	await quiet.cycle({content: 'I am here.'});

	let done = 0;
	const texts = Array.from({length: 25}, async (_, i) => {
		await loud.cycle({content: `${i} ${long}`});
		done++;
	});
	await Promise.race(texts);
	await quiet.cycle({content: 'I say one sentence.'});
	t.true(done < 20, `${done} long texts were before it`);
	await Promise.all(texts);
	t.is((await loud.state()).stateId, 25);
});

test('a cycle does not wait for dry runs, and too many dry runs are refused', async t => {
	await using server = startServer(await temporaryFolder(t));
	const client = createClient({baseUrl: await server.ready()});
	await client.cycle({content: 'I am here.'});

	const statuses: number[] = [];
	const questions = Array.from({length: 60}, async (_, i) => {
		try {
			await client.dryRun({content: `${i} ${long}`});
			statuses.push(200);
		} catch (error) {
			statuses.push((error as {status: number}).status);
		}
	});
	await Promise.race(questions);
	await client.cycle({content: 'I say one sentence.'});
	const answered = statuses.filter(status => status === 200).length;
	await Promise.all(questions);
	t.true(statuses.includes(429));
	t.true(answered < statuses.filter(status => status === 200).length, `${answered} dry runs were before it`);
});
