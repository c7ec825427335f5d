/** Log warnings about texts that the embedding model did not read whole. */
import {pino} from 'pino';
import test, {type ExecutionContext} from 'ava';
import type {TokenReport} from '../../src/embedding/encoder.ts';
import {logIdentity} from '../../src/commands/logging.ts';
import {FakeEncoder, startIdentity} from '../actors/fixtures.ts';

const secret = 'words that belong to somebody';

/** The log lines of a cycle, from level WARN on. */
const warningsOf = async (t: ExecutionContext, report: TokenReport | null) => {
	const inner = new FakeEncoder();
	const encoder = report
		? Object.assign(inner, {embedWithReport: async (text: string) => ({vector: await inner.embed(text), report})})
		: inner;
	const {identity} = await startIdentity({encoder: async () => encoder});
	t.teardown(async () => identity.dispose());
	const lines: string[] = [];
	logIdentity(identity, pino({level: 'warn'}, {write: line => lines.push(line)}));
	await identity.cycle({content: secret});
	t.false(lines.join('').includes(secret));
	return lines.map(line => JSON.parse(line) as {level: number; msg: string; id: string; tokens?: number; unknownShare?: number});
};

const warned: Array<[title: string, report: TokenReport, message: string]> = [
	[
		'a truncated text',
		{tokens: 128, isTruncated: true, unknownShare: 0},
		'the embedding model did not read a whole text: its end was cut off after 128 tokens',
	],
	['a truncated text of unknown length', {isTruncated: true}, 'the embedding model did not read a whole text: its end was cut off'],
	[
		'a text of mostly unknown tokens',
		{tokens: 2, isTruncated: false, unknownShare: 0.93},
		'the embedding model did not read a whole text: 93 % of it is not in the model\'s vocabulary',
	],
	[
		'a truncated text of unknown tokens',
		{tokens: 8, isTruncated: true, unknownShare: 1},
		'the embedding model did not read a whole text: its end was cut off after 8 tokens, and 100 % of it '
			+ 'is not in the model\'s vocabulary',
	],
];

for (const [title, report, message] of warned) {
	test(`${title} is logged as a warning, without its content`, async t => {
		const [line, ...more] = await warningsOf(t, report);
		t.like(line, {level: 40, msg: message, id: '1', ...report});
		t.deepEqual(more, []);
	});
}

for (const report of [null, {}, {tokens: 6, isTruncated: false, unknownShare: 0}, {unknownShare: 0.5}]) {
	test(`a report of ${JSON.stringify(report)} causes no warning`, async t => {
		t.deepEqual(await warningsOf(t, report), []);
	});
}
