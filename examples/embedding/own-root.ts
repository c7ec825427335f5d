/**
 * An agent as your own XState machine, which holds an identity as its child. Its snapshot is kept
 * in a file, as XState persists any machine, and the identity is restored from its journal. Run it
 * twice: it continues where it was. `node own-root.ts [FOLDER]`
 */
import {existsSync} from 'node:fs';
import {mkdir, readFile, writeFile} from 'node:fs/promises';
import path from 'node:path';
import {createProcessMachine, processParts} from 'processual-state/actors';
import {createSqliteJournal} from 'processual-state/journal';
import {assign, createActor, sendTo, setup, waitFor} from 'xstate';
import {encoder} from './pairs-of-letters.ts';

const folder = process.argv[2] ?? './agent';
const file = path.join(folder, 'agent.json');
const journal = createSqliteJournal({folder: path.join(folder, 'journal')});

const agentMachine = setup({
	types: {
		context: {} as {heard: number},
		events: {} as {type: 'hear'; text: string},
		children: {} as {identity: 'identity'},
	},
	actors: {identity: createProcessMachine(processParts({encoder, journal}))},
}).createMachine({
	id: 'agent',
	context: {heard: 0},
	invoke: {id: 'identity', src: 'identity', onError: '.broken'},
	initial: 'well',
	states: {
		well: {
			on: {
				hear: {
					actions: [
						assign({heard: ({context}) => context.heard + 1}),
						sendTo('identity', ({context, event}) => ({type: 'cycle', id: String(context.heard), content: event.text, trigger: 'user', metadata: {}})),
					],
				},
			},
		},
		broken: {},
	},
});

const agent = createActor(agentMachine, existsSync(file) ? {snapshot: JSON.parse(await readFile(file, 'utf8'))} : {}).start();
const identity = agent.getSnapshot().children.identity!;
const {context: {state}} = await waitFor(identity, snapshot => snapshot.matches('ready'));
console.log(`heard ${agent.getSnapshot().context.heard}, state ${state!.stateId}`);

const kept = new Promise<number>(resolve => {
	identity.on('cycle.done', ({result}) => {
		resolve(result.stateId);
	});
});
agent.send({type: 'hear', text: 'The sea is quiet today.'});
const stateId = await kept;
console.log(`heard ${agent.getSnapshot().context.heard}, state ${stateId}`);

await mkdir(folder, {recursive: true});
await writeFile(file, JSON.stringify(agent.getPersistedSnapshot()));
agent.stop();
