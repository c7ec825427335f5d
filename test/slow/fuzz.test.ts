/** Long series of random requests: against the application, and against the whole service. */
import test from 'ava';
import fc from 'fast-check';
import {loadEncoder} from '../../src/embedding/load.ts';
import {fakeProcess} from '../http/fake-process.ts';
import {fuzz} from '../http/fuzz.ts';
import {serve} from '../http/service.ts';
import {fuzzRealService, startRealService} from '../real-service.ts';

const requests = 10_000;
const seed = fc.readConfigureGlobal().seed!;

test('10,000 random requests are answered cleanly, and the refused ones do not reach the process', async t => {
	const door = fakeProcess();
	const bodyLimit = 10_000;
	const {url} = await serve(t, door, {bodyLimit});
	const statuses = await fuzz(url, {requests, seed, bodyLimit, probe: () => String(door.calls.length)});
	t.log(JSON.stringify(statuses));
	t.true([200, 404, 405, 413, 415, 422].every(status => statuses[status]! > 0), JSON.stringify(statuses));
});

test('10,000 random requests meet no failure of the real service, and refused ones change nothing', async t => {
	const encoder = await loadEncoder();
	t.teardown(async () => encoder.dispose());
	const service = await startRealService(encoder);
	t.teardown(service.close);
	const statuses = await fuzzRealService(service, {requests, seed});
	t.true(statuses[200]! > 0 && statuses[422]! > 0, JSON.stringify(statuses));
});
