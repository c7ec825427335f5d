/** The bytes that an inspector receives: their number per cycle is bounded. */
import {mkdtemp} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import test from 'ava';
import {assign, createActor, setup} from 'xstate';
import {createInspection} from '../../src/observe/inspection.ts';
import {collectFrames, toFrame} from '../../src/observe/frames.ts';
import {machineFrameTypes} from '../../src/wire/event-types.ts';
import {createSqliteJournal} from '../helpers/one-thread.ts';
import {loadThemes} from '../../src/sources/themes.ts';
import {startIdentity} from '../actors/fixtures.ts';

test('ten cycles send at most 170 KB, with the definition of each machine and each state', async t => {
	const {identity, clock} = await startIdentity({
		themes: loadThemes,
		journal: createSqliteJournal({folder: await mkdtemp(path.join(tmpdir(), 'frames-'))}),
	});
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

/** The worst context of an application's machine: wide, deep, long, and with characters of many bytes. */
const extreme = (): Record<string, unknown> => {
	const text = '\u0000☃'.repeat(5000);
	const wide = (levels: number): unknown =>
		levels === 0 ? text : Object.fromEntries(Array.from({length: 64}, (_, i) => [`${i}${text}`, wide(levels - 1)]));
	const many = <Item>(item: Item): Item[] => Array.from({length: 32}, () => item);
	return {tensor: new Float32Array(8192), vectors: many(new Float32Array(1024)), text, list: many(text), wide: wide(2), metadata: wide(2)};
};

for (const contents of [false, true]) {
	test(`no frame of an extreme machine is over 64 KB, ${contents ? 'with' : 'without'} its texts`, t => {
		const frames: string[] = [];
		const states = Object.fromEntries(Array.from({length: 1000}, (_, i) => [i === 0 ? 'state-0' : `state-${i}-${'x'.repeat(100)}`, {}]));
		const machine = setup({types: {context: {} as Record<string, unknown>}}).createMachine({
			id: 'extreme'.repeat(1000), context: () => extreme(), initial: 'state-0', on: {'*': {actions: assign(() => extreme())}}, states,
		});
		const actor = createActor(machine, {
			inspect(event) {
				frames.push(JSON.stringify(toFrame(event, {now: 0, contents})));
			},
		}).start();
		actor.send({type: 'large', ...extreme()});
		frames.push(...collectFrames(actor, {now: 0, contents}).map(frame => JSON.stringify(frame)));
		const sizes = frames.map(json => Buffer.byteLength(json));
		t.true(sizes.length > 4);
		t.true(Math.max(...sizes) < 64_000, String(sizes));
		const parsed = frames.map(json => JSON.parse(json) as Record<string, any> | null);
		const snapshot = parsed.findLast(frame => frame?.type === '@xstate.snapshot')!;
		t.is(snapshot.snapshot.context.tensor, '8192 numbers');
		t.is(snapshot.snapshot.status, 'active');
		t.regex(JSON.stringify(snapshot), /more entries/);
	});
}
