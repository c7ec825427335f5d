/** A contestant in Node: reads the scene and its own name from the command line, then answers lines, as `limit.c` does. */
import {createInterface} from 'node:readline';
import type {InNode} from './contestants.ts';
import {inPlace} from './in-place.ts';
import type {Results, Task, Work} from './lines.ts';
import {throughPort} from './ours.ts';
import {readScene, type Scene} from './scene.ts';
import {withSimsimd} from './simsimd.ts';

const workOf: Record<InNode, (scene: Scene) => Work | Promise<Work>> = {
	'wasm in place': scene => inPlace(scene),
	'wasm': scene => throughPort('wasm', scene),
	'js': scene => throughPort('js', scene),
	'simsimd': withSimsimd,
};

const {runs, results} = await workOf[process.argv[3] as InNode](readScene(process.argv[2]!));

const plain = (found: Results): string => JSON.stringify(found, (_, value: unknown) => ArrayBuffer.isView(value) ? [...value as Float32Array] : value);

for await (const line of createInterface(process.stdin)) {
	const [task, count] = line.split(' ');
	if (task === 'results') {
		console.log(plain(results()));
		continue;
	}

	const began = process.hrtime.bigint();
	runs[task as Task]!(Number(count));
	console.log(Number(process.hrtime.bigint() - began) / Number(count));
}
