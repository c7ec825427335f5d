/** Long series of random requests: against the application, and against the whole service. */
import test from 'ava';
import fc from '../helpers/fast-check.ts';
import {loadEncoder} from '../../src/embedding/load-encoder.ts';
import {fakeIdentity} from '../http/fake-identity.ts';
import {fuzz} from '../http/fuzz.ts';
import {serve} from '../http/service.ts';
import {fuzzRealService, startRealService} from '../helpers/real-service.ts';

const requests = 10_000;
const seed = fc.readConfigureGlobal().seed!;

test('10,000 random requests are answered as documented, and refused ones do not reach the identity', async t => {
	const identity = fakeIdentity();
	const maxBodyBytes = 10_000;
	const {url} = await serve(t, identity, {maxBodyBytes});
	const statuses = await fuzz(url, {requests, seed, maxBodyBytes, probe: () => String(identity.calls.length)});
	t.log(JSON.stringify(statuses));
	t.true([200, 404, 405, 413, 415, 422].every(status => statuses[status]! > 0), JSON.stringify(statuses));
});

test('the real service answers 10,000 random requests without failure, and refused ones change nothing', async t => {
	const encoder = await loadEncoder();
	t.teardown(async () => encoder.dispose());
	const service = await startRealService(encoder);
	t.teardown(service.close);
	const statuses = await fuzzRealService(service, {requests, seed});
	t.true(statuses[200]! > 0 && statuses[422]! > 0, JSON.stringify(statuses));
});
