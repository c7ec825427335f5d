/** What this package replaces inside of XState: a version that works otherwise must fail here, and not in a service. */
import {readdir, readFile} from 'node:fs/promises';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import test from 'ava';
import {createActor, setup} from 'xstate';
import {disableActorList} from '../../src/identity/unlisted-actors.ts';

const child = setup({}).createMachine({initial: 'on', states: {on: {}}});
const machine = setup({actors: {child}}).createMachine({invoke: {src: 'child', id: 'first', systemId: 'the first'}});

/** The function's name in a system. */
const part = '_register';

type Private = Record<typeof part, (sessionId: string, actor: unknown) => string>;

test('XState registers each actor by the function that is replaced, which gives back the session id', t => {
	const actor = createActor(machine);
	const system = actor.system as unknown as Private;
	t.is(typeof system[part], 'function');
	const registered: string[] = [];
	const {[part]: register} = system;
	system[part] = (sessionId, registeree) => {
		registered.push(sessionId);
		t.is(register(sessionId, registeree), sessionId);
		return sessionId;
	};

	actor.start();
	t.true(registered.length > 0 && registered.every(id => /^x:\d+$/.test(id)), registered.join(' '));
});

test('without the list, children start, are found by their system id, and stop', t => {
	const actor = createActor(machine);
	disableActorList(actor);
	actor.start();
	t.is(actor.system.get('the first')?.getSnapshot().value, 'on');
	t.is(actor.getSnapshot().children['first']?.getSnapshot().value, 'on');
	actor.stop();
	t.is(actor.getSnapshot().status, 'stopped');
});

test('the list is written, and read by nothing', async t => {
	const folder = path.dirname(fileURLToPath(import.meta.resolve('xstate')));
	const names = (await readdir(folder)).filter(name => name.endsWith('.js'));
	const systems = (await Promise.all(names.map(async name => readFile(path.join(folder, name), 'utf8')))).filter(source => source.includes('_register: ('));
	t.true(systems.length > 0);
	for (const source of systems) {
		const begin = source.indexOf('function createSystem(');
		const factory = source.slice(begin, source.indexOf('\n}', begin));
		const [, list] = /_register: \(sessionId, actorRef\) => \{\s*(\w+)\.set\(sessionId, actorRef\)/.exec(factory) ?? [];
		t.deepEqual([...factory.matchAll(new RegExp(`\\b${list!}\\b(?:\\.\\w+)?`, 'g'))].map(([use]) => use), [list!, `${list!}.set`, `${list!}.delete`]);
	}
});
