/** A process with one contestant, which embeds as many texts as its parent asks for. */
import {setTimeout} from 'node:timers/promises';
import {contestants} from './contestants.ts';
import {longText, shortTexts} from './texts.ts';

export type Question = {kind: 'short' | 'long'; count: number};

/** CPU milliseconds of all threads, since the last answer; and the memory now, in MB. */
export type Answer = {cpuMs: number; wallMs: number; rssMb: number};

const [name, onnxFolder] = process.argv.slice(2);
const contestant = contestants.find(each => each.name === name)!;

let cpu = process.cpuUsage();
let wall = performance.now();
const measure = (): Answer => {
	const {user, system} = process.cpuUsage(cpu);
	const answer = {cpuMs: (user + system) / 1000, wallMs: performance.now() - wall, rssMb: process.memoryUsage().rss / 1e6};
	cpu = process.cpuUsage();
	wall = performance.now();
	return answer;
};

const embed = await contestant.load(onnxFolder!);
await embed(shortTexts[0]!);
process.send!(measure());

let asked = 0;
process.on('message', async ({kind, count}: Question) => {
	// Work that is left from earlier must not count for this question.
	await setTimeout(5);
	measure();
	for (let i = 0; i < count; i++) {
		await embed(kind === 'short' ? shortTexts[asked++ % shortTexts.length]! : longText);
	}

	process.send!(measure());
});
