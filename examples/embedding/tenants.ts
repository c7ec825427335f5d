/**
 * Many tenants in one program: each has an identity, with its journal in a folder of the same name.
 * All share one model, its directions, one kernel and one journal thread. `node tenants.ts [TENANTS]`
 */
import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {createIdentity} from 'processual-state';
import {loadEncoder} from 'processual-state/embedding';
import {openJournals} from 'processual-state/journal';
import {selectKernel} from 'processual-state/kernel';
import {builtInCatalogue, loadDirections, loadCatalogue} from 'processual-state/sources';

const count = Number(process.argv[2] ?? 100);
const folder = await mkdtemp(path.join(tmpdir(), 'tenants-'));
const journals = openJournals({folder});

// Parts that are given as values are shared: no identity disposes of the model.
const encoder = await loadEncoder();
const directions = await loadDirections(await loadCatalogue(builtInCatalogue), {encoder});
const kernel = selectKernel();

// Each identity warns that it begins at random; one warning is enough.
const warned = new Set<string>();
const warn = (text: string, ...error: unknown[]): void => {
	if (!warned.has(text)) {
		warned.add(text);
		console.warn(text, ...error);
	}
};

const start = async (tenant: string) => {
	const identity = createIdentity({encoder, directions, kernel, journal: journals.for(tenant), warn});
	await identity.ready();
	return identity;
};

const names = Array.from({length: count}, (_, i) => `tenant-${i + 1}`);
const first = await start(names[0]!);
await first.cycle({content: 'I am the first tenant.'});

const before = {time: performance.now(), bytes: process.memoryUsage.rss()};
const others = await Promise.all(names.slice(1).map(start));
const each = {ms: (performance.now() - before.time) / others.length, bytes: (process.memoryUsage.rss() - before.bytes) / others.length};

await Promise.all(others.map(async (identity, i) => identity.cycle({content: `I am tenant ${i + 2}.`})));
console.log(`${(await journals.list()).length} tenants; each takes ${each.ms.toFixed(1)} ms to start and ${Math.round(each.bytes / 1024)} KiB of memory.`);

// A tenant that is not used is disposed of; later it continues where it was.
await first.dispose();
const again = await start(names[0]!);
console.log(`${names[0]} continues at state ${again.state().stateId}.`);

await Promise.all([again, ...others].map(async identity => identity.dispose()));
await journals.close();
await encoder.dispose();
await rm(folder, {recursive: true});
