/** A real PostgreSQL with a full disk: reads are answered; cycles are refused until there is room, and refused ones leave nothing. */
import {spawnSync} from 'node:child_process';
import {mkdtempSync, rmSync} from 'node:fs';
import {open, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import test from 'ava';
import {startCluster} from '../helpers/cluster.ts';

/** A separate file system, which only root may mount; null if that is not possible. */
const mount = (): string | null => {
	const folder = mkdtempSync(path.join(tmpdir(), 'disk-'));
	if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=400m', 'tmpfs', folder]).status === 0) {
		return folder;
	}

	rmSync(folder, {recursive: true});
	return null;
};

const disk = mount();
test.after.always(() => {
	if (disk !== null) {
		spawnSync('umount', ['--lazy', disk]);
		rmSync(disk, {recursive: true});
	}
});

/** Fills the disk. @returns the file that fills it */
const fill = async (folder: string): Promise<string> => {
	const file = path.join(folder, 'filler');
	await using handle = await open(file, 'a');
	for (let size = 2 ** 20; size >= 2 ** 12;) {
		try {
			await handle.write(Buffer.alloc(size));
		} catch {
			size /= 2;
		}
	}

	return file;
};

(disk === null
	? test.skip
	: test)('while the disk of the database is full, reads are answered and cycles are refused with the reason', async t => {
	t.timeout(600_000);
	await using cluster = await startCluster({nodes: 1, postgres: {folder: disk!}});
	await cluster.settle();
	const kept: number[] = [];
	const refusals: string[] = [];
	const post = async (n: number) => {
		const response = await fetch(`${cluster.address}/cycle`, {
			method: 'POST',
			headers: {'content-type': 'application/json'},
			body: JSON.stringify({content: `thought ${n}`}),
		});
		const {detail} = await response.json() as {detail?: string};
		if (response.ok) {
			kept.push(n);
		} else {
			refusals.push(`${response.status}: ${detail}`);
		}

		return response.ok;
	};

	let n = 0;
	while (n < 20) {
		t.true(await post(n++));
	}

	const filler = await fill(disk!);
	while (await post(n++)) {
		// Existing pages still have room.
		await fill(disk!);
	}

	const stateId = async () => (await (await fetch(`${cluster.address}/state`)).json() as {state_id: number}).state_id;
	while (refusals.length < 20) {
		t.is(await stateId(), kept.length);
		await post(n++);
		await fill(disk!);
	}

	for (const refusal of refusals) {
		t.regex(refusal, /^50[03]: .*The disk of the database is full\. Free space on it, then try again\./);
	}

	const ready = async () => (await fetch(`${cluster.address}/readyz`)).status;
	const {parts} = await (await fetch(`${cluster.address}/readyz`)).json() as {parts: Record<string, string>};
	t.is(await ready(), 503);
	t.regex(parts['journal']!, /disk of the database is full/);
	await rm(filler);
	const freedAt = performance.now();
	while (!await post(n++)) {
		// The journal is opened again.
	}

	t.is(await ready(), 200);
	t.log(`${Math.round(performance.now() - freedAt)} ms after room was made`);
	const rows = await cluster.server.queryIn<{content: string}>(
		cluster.url,
		'select content from processual.record where kind = \'cycle\' order by seq',
	);
	t.deepEqual(rows.map(({content}) => content), kept.map(k => `thought ${k}`));
});
