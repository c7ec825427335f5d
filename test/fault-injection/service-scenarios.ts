/**
 * Scenarios of commands to kill at each write: the first start of the service, the first imports
 * into its store, and `reembed`.
 */
import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {cp, readFile, writeFile} from 'node:fs/promises';
import {text} from 'node:stream/consumers';
import path from 'node:path';
import {JournalReader} from '../../src/journal/sqlite/journal-reader.ts';
import {vectorOf} from '../actors/fixtures.ts';
import {childEnvironment} from '../helpers/child-environment.ts';
import {cli} from '../helpers/cli.ts';
import {postCycle, startServer} from '../helpers/server-process.ts';
import type {FakeModel} from './fake-model.ts';
import type {Scenario} from './kill-points.ts';

/** Starts must not blame the disk, the data or permissions for what a kill left. */
const blame = /damaged|permission|cannot be opened|could not be (?:read|written)|readonly|read-only/i;

const state = {state_id: 41, timestamp: '2026-01-01T00:00:00.000Z', vector: [...vectorOf('the store')]};
const messages = Array.from({length: 3}, (_, i) => ({
	conversation: 'one',
	role: 'user',
	content: `Something that was said to somebody, number ${i}.`,
	created: `2026-01-0${i + 1}T00:00:00Z`,
}));

/** Scenarios that start services and commands, which embed with this model. */
export const serviceScenarios = (model: FakeModel): Scenario[] => {
	const settings = (name?: string): Record<string, string> => ({...model.settings(name), KERNEL: 'wasm'});

	const command = async (
		data: string,
		words: string[],
		environment: Record<string, string>,
	): Promise<{code: number | null; said: string}> => {
		const child = spawn(process.execPath, [cli, ...words, '--data-dir', data], {
			env: {...childEnvironment, NODE_OPTIONS: process.env['NODE_OPTIONS'], ...environment},
			stdio: ['ignore', 'pipe', 'pipe'],
		});
		const [out, errors] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
		return {code: child.exitCode, said: out + errors};
	};

	const importFile = async (folder: string, kind: 'state' | 'messages', environment: Record<string, string> = {}) =>
		command(path.join(folder, 'data'), ['import', kind, path.join(folder, `${kind}.jsonl`)], {...settings(), ...environment});

	const writeSources = async (folder: string): Promise<void> => {
		await writeFile(path.join(folder, 'state.jsonl'), JSON.stringify(state));
		await writeFile(path.join(folder, 'messages.jsonl'), messages.map(each => JSON.stringify(each)).join('\n'));
	};

	/** Starts the service, posts a cycle, and records its acknowledgement. */
	const serve = async (
		folder: string,
		name: string,
		environment: Record<string, string> = {},
	): Promise<{refused: string | null; output: string}> => {
		await using server = startServer(path.join(folder, 'data'), {...settings(name), ...environment});
		try {
			const {status} = await postCycle(await server.ready(), 'a thought');
			if (status === 200) {
				await writeFile(path.join(folder, 'acknowledged'), '1');
			}
		} catch (error) {
			return {refused: (error as Error).message, output: server.output};
		}

		await server.stop();
		return {refused: null, output: server.output};
	};

	/** What is wrong with a start in the folder: null when it serves as the stored state, or as a random one where that is allowed. */
	const startsAs = async (
		folder: string,
		{stateId, reference}: {stateId: number | null; reference: string | null},
	): Promise<string | null> => {
		const {refused, output} = await serve(folder, 'first');
		if (refused !== null) {
			return `the start is refused: ${refused}`;
		}

		const blamed = output.split('\n').find(line => blame.test(line));
		if (blamed) {
			return `the start says: ${blamed}`;
		}

		using reader = new JournalReader(path.join(folder, 'data', 'journal'));
		const begun = reader.genesis.initial.stateId;
		if (stateId !== null && begun !== stateId) {
			return `the identity began with state ${begun}, where the store has ${stateId}`;
		}

		return reference !== null && bitsOfReference(reader) !== reference ? 'the reference is another' : null;
	};

	let reference = '';

	const imported = (kind: 'state' | 'messages'): Scenario => ({
		name: `first import of ${kind}`,
		async prepare(folder) {
			await writeSources(folder);
			const whole = `${folder}-whole`;
			await cp(folder, whole, {recursive: true});
			await importFile(whole, 'messages');
			await serve(whole, 'first');
			using reader = new JournalReader(path.join(whole, 'data', 'journal'));
			reference = bitsOfReference(reader);
		},
		async run(folder, environment) {
			await importFile(folder, kind, environment);
		},
		async examine(folder) {
			const again = `${folder}-again`;
			await cp(folder, again, {recursive: true});
			const {code, said} = await importFile(again, kind);
			if (code !== 0) {
				return `the import cannot be repeated: ${said}`;
			}

			// What the killed import had added must count at once; the rest may be missing.
			const wasThere = / 0 added/.test(said);
			return startsAs(folder, {
				stateId: wasThere && kind === 'state' ? 41 : null,
				reference: wasThere && kind === 'messages' ? reference : null,
			});
		},
	});

	return [
		{
			name: 'first start of the service',
			async prepare(folder) {
				await writeSources(folder);
				await importFile(folder, 'state');
				await importFile(folder, 'messages');
				const whole = `${folder}-whole`;
				await cp(folder, whole, {recursive: true});
				await serve(whole, 'first');
				using reader = new JournalReader(path.join(whole, 'data', 'journal'));
				reference = bitsOfReference(reader);
			},
			async run(folder, environment) {
				await serve(folder, 'first', environment);
			},
			async examine(folder) {
				const acknowledged = await readFile(path.join(folder, 'acknowledged'), 'utf8').then(() => 1, () => 0);
				const what = await startsAs(folder, {stateId: 41, reference});
				if (what !== null) {
					return what;
				}

				using reader = new JournalReader(path.join(folder, 'data', 'journal'));
				return reader.records > acknowledged ? null : 'the acknowledged cycle is lost';
			},
		},
		imported('state'),
		imported('messages'),
		{
			name: 'reembed',
			async prepare(folder) {
				await serve(folder, 'first');
			},
			async run(folder, environment) {
				await command(path.join(folder, 'data'), ['reembed'], {...settings('second'), ...environment});
			},
			async examine(folder) {
				const second = await serve(folder, 'second');
				if (second.refused !== null && !/Configure the first model again/.test(second.refused)) {
					return `the start is refused: ${second.refused}`;
				}

				const first = second.refused === null ? null : await serve(folder, 'first');
				if (first?.refused) {
					return `both models are refused: ${first.refused}`;
				}

				using reader = new JournalReader(path.join(folder, 'data', 'journal'));
				return reader.records === 2 ? null : `${reader.records} records of 2 are there`;
			},
		},
	];
};

const bitsOfReference = (reader: JournalReader): string =>
	Buffer.concat(reader.genesis.reference.rows.map(row => Buffer.from(row.buffer, row.byteOffset, row.byteLength))).toString('base64');
