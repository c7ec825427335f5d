/** A thread of the benchmark: one history for each message. */
import {parentPort, workerData} from 'node:worker_threads';
import {width} from '../../src/kernel/dimensions.ts';
import {runHistory} from './history.ts';
import type {Task, ThreadData} from './run-histories.ts';
import {openWorld} from './worlds.ts';

const {world, vectors: shared, unread: places, directions} = workerData as ThreadData;
const unread = new Set(places);
const {scenarios} = openWorld(world);
const all = new Float32Array(shared);
const vectors = Array.from({length: all.length / width}, (_, i) => all.subarray(i * width, (i + 1) * width));

parentPort!.on('message', ({scenario, seed}: Task) => {
	parentPort!.postMessage(runHistory({vectors, unread, directions}, scenarios[scenario]!, seed));
});
