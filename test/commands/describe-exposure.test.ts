/** One line says who can reach a service. */
import test from 'ava';
import {describeExposure} from '../../src/commands/serve.ts';

const token = 'a secret of the operator';

for (const [host, policy, line] of [
	[
		'0.0.0.0',
		{cors: '*'},
		'open to every network of this machine (HOST), to pages of every origin (ALLOWED_ORIGINS), without a token (AUTH_TOKEN)',
	],
	[
		'::',
		{cors: '*', token},
		'open to every network of this machine (HOST), to pages of every origin (ALLOWED_ORIGINS), with the token only (AUTH_TOKEN)',
	],
	// Other spellings of these addresses that the system accepts.
	[
		'0',
		{cors: '*'},
		'open to every network of this machine (HOST), to pages of every origin (ALLOWED_ORIGINS), without a token (AUTH_TOKEN)',
	],
	[
		'::0',
		{cors: '*'},
		'open to every network of this machine (HOST), to pages of every origin (ALLOWED_ORIGINS), without a token (AUTH_TOKEN)',
	],
	[
		'127.1',
		{cors: '*'},
		'open to this machine only (HOST), to pages of every origin (ALLOWED_ORIGINS), without a token (AUTH_TOKEN)',
	],
	[
		'127.0.0.1',
		{cors: ['https://a.example', 'https://b.example']},
		'open to this machine only (HOST), to pages of https://a.example, https://b.example (ALLOWED_ORIGINS), without a token (AUTH_TOKEN)',
	],
	['::1', {}, 'open to this machine only (HOST), to pages of its own origin (ALLOWED_ORIGINS), without a token (AUTH_TOKEN)'],
	[
		'192.0.2.7',
		{cors: '*'},
		'open to the network of 192.0.2.7 (HOST), to pages of every origin (ALLOWED_ORIGINS), without a token (AUTH_TOKEN)',
	],
] as const) {
	test(`${host}: ${line}`, t => {
		t.is(describeExposure(host, policy), line);
		t.false(describeExposure(host, policy).includes(token));
	});
}
