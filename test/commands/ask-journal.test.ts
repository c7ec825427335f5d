/** `processual ledger`, `history`, `diff`, `drift` and `sources` on the journal of a stopped service, without a model. */
import {existsSync} from 'node:fs';
import {mkdir, mkdtemp, rename, rm, utimes, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import test, {type ExecutionContext} from 'ava';
import {loadBuiltInDirections} from '../../src/actors/packaged.ts';
import {backUp} from '../../src/commands/backup.ts';
import {showFleet} from '../../src/commands/fleet.ts';
import {readSettings} from '../../src/commands/read-settings.ts';
import {holdFolder} from '../../src/commands/service-lock.ts';
import {bundledModel} from '../../src/embedding/use-lite/identifier.ts';
import type {ForgetResponse} from '../../src/generated/types.ts';
import {ConfigurationError, InputError, UnavailableError, UnknownIdentityError} from '../../src/platform/errors.ts';
import {requireNoOther} from '../../src/commands/open-journal.ts';
import {createSqliteJournal} from '../helpers/one-thread.ts';
import {serve} from '../http/service.ts';
import {FakeEncoder, startIdentity} from '../actors/fixtures.ts';
import {ask} from './ask.ts';
import {pattern} from '../helpers/pattern.ts';

/** The bundled model's passport: its directions come with the package. */
const passport = {model: bundledModel, width: 512, pooling: 'none', prefix: '', dtype: 'q8'};

const prepare = async (t: ExecutionContext) => {
	const folder = await mkdtemp(path.join(tmpdir(), 'past-'));
	t.teardown(async () => rm(folder, {recursive: true}));
	const {identity, clock} = await startIdentity({
		encoder: Object.assign(new FakeEncoder(), {passport}),
		directions: loadBuiltInDirections,
		journal: createSqliteJournal({folder: path.join(folder, 'journal')}),
	});
	for (const [content, source] of [['The sea\nis quiet.', 'Ada'], ['Bread.', 'Bruno'], ['A boat.', 'Ada']] as const) {
		clock.increment(60_000);
		await identity.cycle({content, metadata: {source}});
	}

	return {settings: readSettings({DATA_DIR: folder}, {}), identity};
};

test('with --json, each command prints the answer of a running service', async t => {
	const {settings, identity} = await prepare(t);
	const service = await serve(t, identity);
	const served: unknown[] = [];
	for (const query of [
		'/ledger?by=source&direction=relational.trust&lens=thirdness', '/history?points=3&since=1', '/diff?from=1&to=2',
		'/drift', '/sources?since=1',
	]) {
		served.push((await service.ask('GET', query)).body);
	}

	await service.close();
	await identity.dispose();
	const printed = [
		await ask(settings, 'ledger', '--direction', 'relational.trust', '--json'),
		await ask(settings, 'history', '--points', '3', '--since', '1', '--json'),
		await ask(settings, 'diff', '--from', '1', '--to', '2', '--json'),
		await ask(settings, 'drift', '--json'),
		await ask(settings, 'sources', '--since', '1', '--json'),
	];
	t.deepEqual(printed.map(text => JSON.parse(text) as unknown), served);
});

test('the ledger of a stopped service has the same note about held texts', async t => {
	const {settings, identity} = await prepare(t);
	await identity.hold({sources: ['Bruno'], note: 'Until it is clear.'});
	await identity.cycle({content: 'More bread.', source: 'Bruno'});
	const {note} = await identity.ledger();
	t.regex(note!, /; 1 text is waiting and has moved nothing yet\.$/);
	await identity.dispose();
	t.is((JSON.parse(await ask(settings, 'ledger', '--json')) as {note: string}).note, note!);
});

test('tables show sources, shares and texts, with each text on one line', async t => {
	const {settings, identity} = await prepare(t);
	await identity.dispose();
	const ledger = await ask(settings, 'ledger', '--direction', 'relational.trust');
	t.regex(
		ledger,
		pattern(
			/^State 3, of 3 cycles since state 0 of 2026-01-01 00:00\.\n.*\n/,
			/Its value on relational\.trust is -?0\.\d{4}, the sum of the parts\.\n\nsource +texts +share +part\n\(the beginning\) +0 +/,
		),
	);
	t.regex(ledger, /^Ada +2 +0\.\d% +-?0\.\d{5}$/m);
	t.regex(await ask(settings, 'ledger', '--by', 'text'), /^Ada +1 +0\.\d% +2026-01-01 00:01 +The sea is quiet\.$/m);
	t.regex(
		await ask(settings, 'history'), /^ +1 +2026-01-01 00:01 +1\.0 +1\.0 +\d+\.\d% +0\.\d{3} +\d\.\d{3} +– +Ada +The sea is quiet\.$/m,
	);
	const difference = await ask(settings, 'diff');
	t.regex(difference, /^From state 0 of 2026-01-01 00:00 to state 3 of 2026-01-01 00:03\.\n\n3 texts turned it by/);
	t.regex(difference, /^direction +more +from +to +change +z$/m);
	t.regex(difference, /^Ada +2 +\d+\.\d%$/m);
});

test('without a validation, drift and sources show what they can, and say that there is none', async t => {
	const {settings, identity} = await prepare(t);
	await identity.dispose();
	t.regex(
		await ask(settings, 'drift'),
		pattern(
			/^Since 1 January 2026 it moved \d mrad in 3 texts\.\n\nwho +texts +of all +weight +of the difference +p\n/,
			/Ada +2 +66\.7% +\d+\.\d% +– +–\nBruno +1 +33\.3% +\d+\.\d% +– +–\n\nNo validation yet, .*400 texts/,
		),
	);
	t.regex(
		await ask(settings, 'sources'),
		/^From state 0 to state 3\.\n\nwho +texts +conversations +of all.*\nAda +2 +1 +66\.7%.*\nBruno +1 +1 +33\.3%.*\n\nNo validation yet/,
	);
});

test('errors name options as they were typed, for a stopped service and for a running one', async t => {
	const {settings, identity} = await prepare(t);
	const service = await serve(t, identity);
	const remote = {...settings, PROCESSUAL_URL: service.url};
	await t.throwsAsync(ask(remote, 'held', '--limit', 'x'), {message: '--limit must be a whole number from 0 to 200, not "x".'});
	await t.throwsAsync(ask(remote, 'validate', ''), {message: 'note: String should have at least 1 character'});
	await t.throwsAsync(ask(remote, 'release-held'), {message: /^Say which texts to release.*“held” lists the texts that wait\.$/});
	await service.close();
	await identity.dispose();
	await t.throwsAsync(ask(settings, 'held', '--limit', '-1'), {message: '--limit must be a whole number from 0 to 200, not -1.'});
	await t.throwsAsync(ask(settings, 'release-held'), {message: /^Say which texts to release.*“held” lists the texts that wait\.$/});
});

test('an unknown moment and a folder without a journal are errors', async t => {
	const {settings, identity} = await prepare(t);
	await identity.dispose();
	await t.throwsAsync(ask(settings, 'history', '--since', '99'), {instanceOf: InputError, message: /no state 99/});
	await t.throwsAsync(ask(readSettings({DATA_DIR: 'nowhere'}, {}), 'ledger'), {
		instanceOf: UnknownIdentityError,
		message: /no identity in nowhere.* yet\.[^~]*$/,
	});
	// The folder as “begin --again” leaves it if it is killed between its two steps.
	const journal = path.join(settings.DATA_DIR, 'journal');
	await rename(journal, `${journal}~1`);
	await t.throwsAsync(ask(settings, 'ledger'), {message: /no identity in .* put aside is in .*journal~1\. .*otherwise move that/});
});

test('forget removes the copies of journals that killed commands left behind, and lists those that may be in use', async t => {
	const {settings, identity} = await prepare(t);
	await identity.dispose();
	const places = ['journal~new', 'identities/ben~new', 'identities/.begun/a', 'identities/.begun/b']
		.map(place => path.join(settings.DATA_DIR, place));
	const [old, , oldToo] = places;
	for (const place of places) {
		await mkdir(place, {recursive: true});
		await writeFile(path.join(place, 'journal.sqlite'), 'The sea is quiet.');
	}

	for (const place of [old!, oldToo!]) {
		await utimes(path.join(place, 'journal.sqlite'), 0, 0);
		await utimes(place, 0, 0);
	}

	const answer = JSON.parse(await ask(settings, 'forget', 'She asked for it.', '--source', 'Ada', '--json')) as ForgetResponse;
	const [inUse, alsoInUse] = places.filter(place => existsSync(place));
	t.regex([inUse, alsoInUse].join(' '), /ben~new .*begun.b$/);
	t.deepEqual(answer.elsewhere.map(each => each.split(', ')[0]), [old, oldToo]);
	t.true(answer.receipt!.unreached.some(each => each.startsWith(`${inUse}, a copy`)));
	t.true(answer.receipt!.unreached.some(each => /beside its file \(FILE~new\), and identities that were put aside/.test(each)));
});

test('a command reads the journal itself if the service that holds the folder has no address', async t => {
	const folder = await mkdtemp(path.join(tmpdir(), 'past-'));
	t.teardown(async () => rm(folder, {recursive: true}));
	const release = holdFolder({DATA_DIR: folder}, 'http://localhost:1');
	await rm(path.join(folder, 'service.url'));
	const settings = readSettings({DATA_DIR: folder}, {});
	await t.throwsAsync(ask(settings, 'ledger'), {instanceOf: UnknownIdentityError, message: /no identity in .* yet/});
	release();
});

test('if the service that holds the folder cannot be reached, commands suggest PROCESSUAL_URL', async t => {
	const folder = await mkdtemp(path.join(tmpdir(), 'past-'));
	t.teardown(async () => rm(folder, {recursive: true}));
	const release = holdFolder({DATA_DIR: folder}, 'http://127.0.0.1:1');
	t.teardown(release);
	const settings = readSettings({DATA_DIR: folder}, {});
	const message = /^http:\/\/127\.0\.0\.1:1 cannot be reached.* another container .* set PROCESSUAL_URL to an address at which/;
	for (const command of [ask(settings, 'drift'), showFleet(settings, {}), backUp(settings, path.join(folder, 'b.sqlite'))]) {
		await t.throwsAsync(command, {instanceOf: UnavailableError, message});
	}
});

test('a DATA_DIR that is itself the journal of a program is refused, with the way to correct it', async t => {
	const {settings, identity} = await prepare(t);
	await identity.dispose();
	const misplaced = readSettings({DATA_DIR: path.join(settings.DATA_DIR, 'journal')}, {});
	const message = /itself is the journal of a program: give that program the folder .*journal.journal and move the files there/;
	await t.throwsAsync(ask(misplaced, 'ledger'), {instanceOf: UnknownIdentityError, message});
	t.throws(() => requireNoOther(misplaced), {instanceOf: ConfigurationError, message});
	t.notThrows(() => requireNoOther(settings));
});

test('a service does not begin another identity where a journal was put aside, as by a move to a database', async t => {
	const {settings, identity} = await prepare(t);
	await identity.dispose();
	const journal = path.join(settings.DATA_DIR, 'journal');
	await rename(journal, `${journal}~1`);
	t.throws(() => requireNoOther(settings), {
		instanceOf: ConfigurationError,
		message: /^This would begin another identity\. One that was put aside is in .*journal~1\. .*set DATABASE_URL; otherwise move/,
	});
	await rename(`${journal}~1`, journal);
	t.notThrows(() => requireNoOther(settings));
});
