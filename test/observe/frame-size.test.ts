/** What an inspector costs on the wire: every cycle sends a bounded number of bytes. */
import {mkdtemp} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import test from 'ava';
import {createInspection} from '../../src/observe/inspection.ts';
import {machineFrameTypes} from '../../src/observe/event-types.ts';
import {createSqliteJournal} from '../../src/journal/sqlite/sqlite-journal.ts';
import {loadThemes} from '../../src/sources/themes.ts';
import {startIdentity} from '../actors/fixtures.ts';

test('ten cycles send at most 170 KB, with the definition of each machine and each state', async t => {
	const {identity, clock} = await startIdentity({themes: loadThemes, journal: createSqliteJournal({folder: await mkdtemp(path.join(tmpdir(), 'frames-'))})});
	const inspection = createInspection({actor: identity.actor, timers: clock});
	let bytes = 0;
	const frames: Array<Record<string, any>> = [];
	inspection.watch({types: new Set(machineFrameTypes), contents: false, history: true, after: null}, ({json}) => {
		bytes += Buffer.byteLength(json);
		frames.push(JSON.parse(json) as Record<string, any>);
	});
	for (let cycle = 0; cycle < 10; cycle++) {
		await identity.cycle({content: `Thought ${cycle}`});
	}

	inspection.close();
	await identity.dispose();
	t.log(`${bytes} bytes`);
	t.true(bytes < 170_000, `${bytes} bytes`);
	const drawn = frames.flatMap(({definition}) => definition === undefined ? [] : [(JSON.parse(definition as string) as {id: string}).id]);
	t.is(drawn.filter(id => id === 'cycle').length, 10);
	t.true(['process', 'daemon'].every(id => drawn.includes(id)));
	const passed = new Set(frames.map(({snapshot}) => snapshot?.value as unknown).filter(value => typeof value === 'string'));
	t.true(['embedding', 'recording', 'done'].every(state => passed.has(state)), [...passed].join(', '));
});
