/**
 * How long POST /cycle takes with and without a guard: `npm run bench:guard-time -- [TEXTS]`, 2,000 by default, each to two services
 * in turn. Both have heard the same talk and are validated; one has every rule of the guard. Each text comes from a new source, so
 * that all rules apply to it.
 *
 * Not measured: a network, and several texts at once.
 */
import path from 'node:path';
import {mulberry32} from '../src/platform/clock.ts';
import {startServer} from '../test/helpers/server-process.ts';
import {startSpeech} from './drift/made.ts';
import {makeSentences} from './drift/sentences.ts';
import {startVisits} from './drift/streams.ts';
import {figure, machine, markdown, passingFolder} from './report.ts';

const texts = Number(process.argv[2] ?? 2000);
const rules = {GUARD_NAMED: 'true', GUARD_ECHOES: '1000', GUARD_WEIGHT: '1', GUARD_STRANGERS: 'true', GUARD_UNREAD: 'true', GUARD_EXPIRE_DAYS: '30'};
const folder = passingFolder('guard-time');
await using without = startServer(path.join(folder, 'without'));
await using guarded = startServer(path.join(folder, 'guarded'), rules);
const services = [{name: 'without a guard', url: await without.ready(), times: [] as number[], held: 0}, {name: 'with all rules', url: await guarded.ready(), times: [] as number[], held: 0}];

const post = async (url: string, question: string, body: object): Promise<{held?: string}> => {
	const response = await fetch(`${url}/${question}`, {method: 'POST', headers: {'content-type': 'application/json'}, body: JSON.stringify(body)});
	if (!response.ok) {
		throw new Error(await response.text());
	}

	return await response.json() as {held?: string};
};

const {sentences, pools} = makeSentences();
const random = mulberry32(1);
const next = startVisits(random, startSpeech(pools, random), {hasIds: true});
let visit: ReturnType<typeof next> = [];
const draw = (): {content: string; source: string; conversation: string | null} => {
	while (visit.length === 0) {
		visit = next(null).filter(({isOwn}) => !isOwn);
	}

	const {sentence, source, conversation} = visit.shift()!;
	return {content: sentences[sentence]!, source, conversation};
};

for (let i = 0; i < 620; i++) {
	const {content, source, conversation} = draw();
	await Promise.all(services.map(async ({url}) => post(url, 'cycle', {content, metadata: {source, conversation}})));
}

for (const {url} of services) {
	await post(url, 'validate', {note: 'As it should be.'});
}

for (let i = 0; i < texts; i++) {
	const text = {content: draw().content, metadata: {source: `new ${i}`, conversation: `new ${i}`}};
	// In alternating order, so that other load on the machine affects both.
	for (const service of i % 2 === 0 ? services : services.toReversed()) {
		const began = performance.now();
		const {held} = await post(service.url, 'cycle', text);
		service.times.push(performance.now() - began);
		service.held += Number(held !== undefined);
	}
}

const quantile = (times: readonly number[], part: number): string => figure(times.toSorted((a, b) => a - b)[Math.floor(part * times.length)]!);
console.log(markdown([
	['POST /cycle', 'texts', 'held', 'p50 ms', 'p90 ms', 'p99 ms'],
	...services.map(({name, times, held}) => [name, String(times.length), String(held), ...[0.5, 0.9, 0.99].map(part => quantile(times, part))]),
]));
console.log(`\n${machine()}.`);
