/**
 * CPU milliseconds per text: our encoder compared with the runtime that it replaces, ONNX Runtime and
 * transformers.js, with the same weights: `node benchmarks/embedding.ts [ROUNDS]`, 15 by default.
 *
 * Each contestant has a separate process. They take turns, so that ratios hold on a busy machine, and
 * some texts warm them up. Load is the CPU time to the first vector, including the start of Node.
 * Not measured: models on servers, GPUs, several texts at once.
 */
import {fork, type ChildProcess} from 'node:child_process';
import {once} from 'node:events';
import {existsSync} from 'node:fs';
import {mkdtemp, readdir, rm, stat} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import {makeOnnxModel} from '../test/embedding/use-lite/onnx-model.ts';
import {contestants, type Contestant} from './peer/embedding/contestants.ts';
import type {Answer, Question} from './peer/embedding/in-turn.ts';

const rounds = Number(process.argv[2] ?? 15);
const root = fileURLToPath(new URL('../', import.meta.url));

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;

const answerOf = async (child: ChildProcess): Promise<Answer> => (await once(child, 'message'))[0] as Answer;

const sizeOf = async (folder: string): Promise<number> => {
	const files = existsSync(folder) ? await readdir(folder, {recursive: true, withFileTypes: true}) : [];
	const sizes = await Promise.all(files.filter(file => file.isFile()).map(async file => (await stat(path.join(file.parentPath, file.name))).size));
	return sizes.reduce((sum, size) => sum + size, 0);
};

/** MB on disk. */
const installedSize = async ({packages}: Contestant): Promise<number> => {
	const sizes = await Promise.all(packages.map(async name => sizeOf(path.join(root, name === 'weights' ? name : path.join('node_modules', name)))));
	return sizes.reduce((sum, size) => sum + size, 0) / 1e6;
};

const folder = await mkdtemp(path.join(tmpdir(), 'models-'));
const children = new Map<Contestant, ChildProcess>();
try {
	await makeOnnxModel(folder);
	const loads = new Map<Contestant, Answer>();
	for (const contestant of contestants) {
		const child = fork(path.join(root, 'benchmarks/peer/embedding/in-turn.ts'), [contestant.name, folder]);
		children.set(contestant, child);
		loads.set(contestant, await answerOf(child));
	}

	const ask = async (contestant: Contestant, question: Question): Promise<Answer & {textMs: number}> => {
		const count = Math.max(1, Math.round(question.count / (contestant.slowness ?? 1)));
		const child = children.get(contestant)!;
		const answer = answerOf(child);
		child.send({...question, count});
		const measured = await answer;
		return {...measured, textMs: measured.cpuMs / count};
	};

	for (const contestant of contestants) {
		await ask(contestant, {kind: 'short', count: 300});
		await ask(contestant, {kind: 'long', count: 30});
	}

	const times = {short: new Map<Contestant, number[]>(), long: new Map<Contestant, number[]>()};
	const memory = new Map<Contestant, number>();
	for (let round = 0; round < rounds; round++) {
		for (const contestant of contestants) {
			for (const [kind, count] of [['short', 40], ['long', 8]] as const) {
				const {textMs, rssMb} = await ask(contestant, {kind, count});
				times[kind].set(contestant, [...times[kind].get(contestant) ?? [], textMs]);
				memory.set(contestant, rssMb);
			}
		}
	}

	const peer = contestants.find(({name}) => name.startsWith('onnxruntime'))!;
	const ratio = (kind: 'short' | 'long', contestant: Contestant) => median(times[kind].get(contestant)!.map((ms, round) => ms / times[kind].get(peer)![round]!));
	console.log(`CPU milliseconds per text; in brackets the median ratio to ${peer.name}, round by round.\n`);
	console.log('| runtime | load | a text of 16 tokens | 128 tokens | RSS MB | on disk MB |\n|---|---:|---:|---:|---:|---:|');
	for (const contestant of contestants) {
		const cell = (kind: 'short' | 'long') => contestant.packages.length === 0 ? '' : `${median(times[kind].get(contestant)!).toFixed(2)} (${ratio(kind, contestant).toFixed(2)})`;
		console.log(`| ${contestant.name} | ${loads.get(contestant)!.cpuMs.toFixed(0)} | ${cell('short')} | ${cell('long')} | ${memory.get(contestant)!.toFixed(0)} | ${(await installedSize(contestant)).toFixed(1)} |`);
	}
} finally {
	for (const child of children.values()) {
		child.kill();
	}

	await rm(folder, {recursive: true});
}
