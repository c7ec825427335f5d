/**
 * Asserts that contestants agree: the same texts in the same order get the same responses, within
 * the tolerances of `docs/spec/numerics.md#tolerances`, and lead to the same state.
 */
import assert from 'node:assert/strict';

type Json = Record<string, unknown>;

const ask = async (url: string, body?: object): Promise<Json> => {
	const response = await fetch(url, body && {method: 'POST', headers: {'content-type': 'application/json'}, body: JSON.stringify(body)});
	assert.equal(response.status, 200, `${url} answered ${response.status}.`);
	return await response.json() as Json;
};

/** The tolerance of a number, by the name of its field; a duration may be anything. */
const tolerances: Record<string, (expected: number) => number> = {
	delta_magnitude: expected => 1e-5 * expected,
	dissonance_total: () => 2e-6,
	cumulative_drift: expected => 1e-4 * expected,
	dimensions: () => 1e-6,
	// Rounded to 4 decimals: the last one may differ.
	value: () => 1.01e-4,
	reference_similarity: () => 1.01e-4,
	uptime_seconds: () => Infinity,
	processing_time_ms: () => Infinity,
	time_since_last_user_seconds: () => Infinity,
};

/** Texts without a fixed wording, and timestamps. */
const free = new Set(['message', 'timestamp']);

/** Asserts equal fields, equal words, and numbers within their tolerance. */
const assertSame = (actual: unknown, expected: unknown, field: string): void => {
	if (typeof expected === 'number') {
		const tolerance = (Object.entries(tolerances).find(([name]) => field.includes(name))?.[1] ?? (() => 0))(Math.abs(expected));
		assert.ok(Math.abs(actual as number - expected) <= tolerance, `${field}: ${actual as number} is not ${expected} within ${tolerance}.`);
	} else if (typeof expected === 'object' && expected !== null) {
		assert.deepEqual(Object.keys(actual as Json).toSorted(), Object.keys(expected).toSorted(), `${field} has other fields.`);
		for (const [key, value] of Object.entries(expected)) {
			assertSame((actual as Json)[key], value, `${field}.${key}`);
		}
	} else if (free.has(field.split('.').at(-1)!)) {
		assert.equal(typeof actual, typeof expected, field);
	} else {
		assert.equal(actual, expected, field);
	}
};

/** Posts the same texts to fresh contestants. @throws when the response of one differs from the first one's. */
export const assertAgreement = async (urls: readonly string[], paths: readonly string[], count = 100): Promise<void> => {
	const assertAgreed = async (path: string, body?: object): Promise<void> => {
		const [expected, ...others] = await Promise.all(urls.map(async url => ask(url + path, body)));
		for (const actual of others) {
			assertSame(actual, expected, path);
		}
	};

	for (let i = 0; i < count; i++) {
		await assertAgreed('/cycle', {content: `Text ${i} moves the state.`, trigger_type: ['user', 'corpus', 'dream'][i % 3]});
	}

	for (const path of paths) {
		await assertAgreed(path);
	}
};
