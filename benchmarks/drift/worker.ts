/** A thread of the benchmark: one trial for each message. */
import {parentPort, workerData} from 'node:worker_threads';
import type {Task} from './run-trials.ts';
import {makeSentences} from './sentences.ts';
import {scenarios} from './streams.ts';
import {runTrial} from './trial.ts';
import {width} from '../../src/kernel/dimensions.ts';

const {sentences, pools} = makeSentences();
const all = new Float32Array(workerData as SharedArrayBuffer);
// The kernel copies rows into its own memory; a copy here is not shared, as no identity's is.
const vectors = sentences.map((_, i) => all.slice(i * width, (i + 1) * width));

parentPort!.on('message', ({scenario, seed}: Task) => {
	parentPort!.postMessage(runTrial(pools, vectors, scenarios[scenario]!, seed));
});
