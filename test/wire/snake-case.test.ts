import test from 'ava';
import {toSnakeCase} from '../../src/wire/snake-case.ts';

test('own keys get their names on the wire, in the same order', t => {
	const renamed = toSnakeCase({stateId: 7, timeSinceLastUserSeconds: null, level: 'ok'});
	t.deepEqual(Object.entries(renamed), [['state_id', 7], ['time_since_last_user_seconds', null], ['level', 'ok']]);
});

test('nested keys stay, since they may be data', t => {
	const alerts = {calmAgitated: 1};
	t.is(toSnakeCase({alerts}).alerts, alerts);
});
