/** Programs with the installed package: identities that share a question pool, unread streams, refused options. */
import {execFile} from 'node:child_process';
import {promisify} from 'node:util';
import type {ExecutionContext} from 'ava';
import type {IdentityOptions} from '../../src/identity/options.ts';
import {FakeEncoder} from '../actors/fixtures.ts';
import {talk} from '../helpers/ordinary-talk.ts';
import {networked} from '../helpers/registry.ts';
import {temporaryFolder} from '../journal/records.ts';
import {importInstalled, userEnvironment} from './installed.ts';

/** The modules of the package that these programs import. */
const importAll = async () => ({
	...await importInstalled<typeof import('../../src/index.ts')>('processual-state'),
	...await importInstalled<typeof import('../../src/host/index.ts')>('processual-state/host'),
	...await importInstalled<typeof import('../../src/journal/index.ts')>('processual-state/journal'),
});

/** An identity with a journal, whose methods the program may replace. */
const open = async (t: ExecutionContext, options: IdentityOptions = {}) => {
	const {openIdentity, createSqliteJournal} = await importAll();
	const journal = createSqliteJournal({folder: await temporaryFolder(t)});
	const identity = await openIdentity({encoder: new FakeEncoder(), journal, warn() {}, ...options});
	t.teardown(async () => identity.dispose());
	return {identity, journal};
};

networked('a history whose chart finds the question pool full waits, and is answered', async t => {
	const {Questions} = await importAll();
	const questions = new Questions({maxRunning: 1, maxWaiting: 0});
	const [ada, ben] = [await open(t, {questions}), await open(t, {questions})];
	// A digest of 500 texts would take the one place.
	Object.defineProperty(ada.journal, 'digests', {value: undefined});
	await talk(ada.identity);
	await ada.identity.validate({note: 'As it is.'});
	// The watch starts in the one place.
	while (!ada.identity.watch()) {
		await new Promise(setImmediate);
	}

	// A conversation ends with its hundredth text.
	await talk(ada.identity, {texts: 120, conversations: 1});
	await ben.identity.cycle('I am Ben.');
	// The watch that this wakes takes the place first.
	await questions.run({}, async () => {}, {isRefusable: false});

	const reading = Promise.withResolvers<void>();
	const gate = Promise.withResolvers<void>();
	const read = ben.journal.read.bind(ben.journal);
	ben.journal.read = async (...range) => {
		reading.resolve();
		await gate.promise;
		return read(...range);
	};

	// Between the states of the history and its chart, another question takes the one place.
	const validation = ada.journal.validation.bind(ada.journal);
	let other: Promise<unknown> | undefined;
	ada.journal.validation = async () => {
		other = ben.identity.history();
		await reading.promise;
		const found = await validation();
		setImmediate(gate.resolve);
		return found;
	};

	const {points} = await ada.identity.history({points: 10});
	t.truthy(points.at(-1)!.chart);
	await t.notThrowsAsync(other!);
});

networked('a failed question does not evict a newer one for the same moment, which others join', async t => {
	const {Questions} = await importAll();
	const {identity, journal} = await open(t, {questions: new Questions({maxRunning: 6})});
	await talk(identity, {texts: 4, conversations: 1});
	/** One entry per question: each asks the journal for its validation first. */
	const asked: Array<PromiseWithResolvers<null>> = [];
	journal.validation = async () => {
		const one = Promise.withResolvers<null>();
		asked.push(one);
		return one.promise;
	};

	const drift = async (since: number) => identity.drift({since});
	const older = drift(0);
	// Four others evict it from the cache.
	const others = [1, 2, 3, 4].map(drift);
	const newer = drift(0);
	asked[0]!.reject(new Error('broken'));
	await t.throwsAsync(older, {message: 'broken'});
	const joined = drift(0);
	t.is(asked.length, 6);
	for (const one of asked) {
		one.resolve(null);
	}

	await Promise.all([...others, newer, joined]);
	t.is(asked.length, 6);
});

networked('an unread stream keeps no identity in memory, and only the newest of its events', async t => {
	const {createEmbeddedHost, openIdentity, openJournals} = await importAll();
	await using host = createEmbeddedHost({
		journals: openJournals({folder: await temporaryFolder(t)}),
		open: async (_, journal) => openIdentity({encoder: new FakeEncoder(), journal, warn() {}}),
		idleMs: 50,
	});
	for (const name of ['ada', 'ben']) {
		await host.create(name);
	}

	const {here: ada} = await host.place('ada');
	const unread = ada.events();
	await Promise.all(Array.from({length: 1000}, async (_, i) => ada.cycle(`Text ${i}.`)));
	await ada.reset();
	// The identity used last is closed last.
	const {here: ben} = await host.place('ben');
	await ben.cycle('I am Ben.');
	const isLive = async (name: string): Promise<boolean> => (await host.list(null, 10)).find(each => each.name === name)!.isLive;
	while (await isLive('ben')) {
		await new Promise(setImmediate);
	}

	t.false(await isLive('ada'));
	const types = [];
	for await (const {type} of unread) {
		types.push(type);
	}

	t.is(types.length, 1001);
	t.is(types[0], 'stream.dropped');
	t.deepEqual(types.slice(-2), ['reset.done', 'stopped']);
});

networked('a cycle is refused if newId repeats an id', async t => {
	const {identity} = await open(t, {newId: () => 'the same'});
	await identity.cycle('The sea is quiet.');
	await t.throwsAsync(identity.cycle('The sea is rough.'), {name: 'JournalError', message: /already has a cycle with the id “the same”/});
	t.is(identity.state().stateId, 1);
});

networked('a journal that lacks a method is refused, both as an option and from a function', async t => {
	const {openIdentity} = await importAll();
	const methods = ['open', 'begin', 'append', 'read', 'find', 'validation', 'decisions', 'held', 'close'];
	for (const missing of methods) {
		const journal = Object.fromEntries(methods.filter(name => name !== missing).map(name => [name, async () => null])) as never;
		const openWith = async (given: IdentityOptions['journal']) => openIdentity({encoder: new FakeEncoder(), journal: given!});
		await t.throwsAsync(openWith(journal), {name: 'ConfigurationError', message: /option journal must be a journal/}, missing);
		await t.throwsAsync(
			openWith(() => journal), {name: 'JournalError', message: /needs open, .*, find, validation, decisions, held, close/}, missing,
		);
	}
});

networked('options of a program and settings of the command have the same ranges', async t => {
	const {createEmbeddedHost, createIdentity, createSqliteJournal, Questions} = await importAll();
	const openWith = (options: IdentityOptions) => t.teardown(createIdentity({encoder: new FakeEncoder(), warn() {}, ...options}).dispose);
	// The command names eight wrong settings at most.
	const options: Record<string, (value: number) => unknown> = {
		QUEUE_LIMIT: maxPendingCycles => openWith({maxPendingCycles}),
		QUEUE_BYTES: maxPendingBytes => openWith({maxPendingBytes}),
		SHUTDOWN_SECONDS: seconds => openWith({drainTimeoutMs: 1000 * seconds}),
		MAX_LIVE: maxLive => createEmbeddedHost({journals: {}, open() {}, maxLive} as never),
		QUESTION_SECONDS: maxSeconds => new Questions({maxSeconds}),
		JOURNAL_KEEP_RECORDS: keepRecords => createSqliteJournal({folder: 'unused', compaction: {keepRecords}}),
	};
	const env = await userEnvironment();
	const refusedByCommand = async (value: number): Promise<string[]> => {
		const settings = Object.fromEntries(Object.keys(options).map(name => [name, String(value)]));
		// One is always wrong, so that nothing is served.
		const serve = promisify(execFile)('processual', ['serve'], {env: {...env, ...settings, LOG_LEVEL: 'loud'}});
		const {stderr} = (await t.throwsAsync<Error & {stderr: string}>(serve))!;
		return Array.from(stderr.matchAll(/([A-Z_]+) must be/g), ([, name]) => name!).filter(name => name in settings);
	};

	for (const value of [-1, 0.5, 1, 100_001, 2_000_001]) {
		const refused = Object.keys(options).filter(name => {
			try {
				options[name]!(value);
				return false;
			} catch {
				return true;
			}
		});
		t.deepEqual(refused.toSorted(), (await refusedByCommand(value)).toSorted(), String(value));
	}
});
