/** `processual profile`: the profile with units from a journal, without a model. */
import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import test, {type ExecutionContext} from 'ava';
import {formatTable} from '../../src/commands/terminal.ts';
import {readSettings} from '../../src/commands/read-settings.ts';
import {bundledModel} from '../../src/embedding/use-lite/identifier.ts';
import {createSqliteJournal} from '../../src/journal/sqlite/sqlite-journal.ts';
import {ConfigurationError, UnknownIdentityError} from '../../src/platform/errors.ts';
import {loadBuiltInDirections} from '../../src/actors/packaged.ts';
import {FakeEncoder, startIdentity} from '../actors/fixtures.ts';
import {ask} from './ask.ts';

/** The bundled model's passport: its directions come with the package. */
const passport = {model: bundledModel, width: 512, pooling: 'none', prefix: '', dtype: 'q8'};

const begin = async (t: ExecutionContext, encoder = new FakeEncoder()) => {
	const folder = await mkdtemp(path.join(tmpdir(), 'profile-'));
	t.teardown(async () => rm(folder, {recursive: true}));
	const {identity} = await startIdentity({
		encoder,
		initialState: null,
		directions: loadBuiltInDirections,
		journal: createSqliteJournal({folder: path.join(folder, 'journal')}),
	});
	await identity.cycle('The sea is quiet.');
	const profile = encoder.passport.model === bundledModel ? identity.scaledProfile({lens: 'thirdness'}) : null;
	await identity.dispose();
	return {settings: readSettings({DATA_DIR: folder}, {}), profile};
};

const bundled = () => Object.assign(new FakeEncoder(), {passport});

test('profile --json prints values of GET /profile/scaled, from the journal alone', async t => {
	const {settings, profile} = await begin(t, bundled());
	const {
		state_id,
		lens,
		begun_at_random,
		examples,
		directions,
	} = JSON.parse(await ask(settings, 'profile', '--lens', 'thirdness', '--json')) as Record<string, unknown>;
	t.deepEqual({state_id, lens, begun_at_random, examples}, {state_id: 1, lens: 'thirdness', begun_at_random: true, examples: 2100});
	t.deepEqual((directions as Array<{key: string; z: number}>).map(({key, z}) => [key, z]), profile!.directions.map(({key, z}) => [key, z]));
});

test('the table omits directions that are no different from chance, except with --all', async t => {
	const {settings} = await begin(t, bundled());
	const shown = await ask(settings, 'profile');
	t.regex(shown, /^State 1, each direction on the dimension of its category, compared with 2100 example sentences\.\n/);
	t.regex(shown, /\nThis identity began at random: directions that do not move show only chance\./);
	t.notRegex(shown, /\bnone\b/);
	t.notRegex(shown, /\bno$/m);
	t.regex(shown, /Nothing stands out\.\n\n106 are no different from chance; --all shows them\.$/);
	const all = await ask(settings, 'profile', '--all');
	t.is(all.match(/ (?:none|leaning|strong) +(?:yes|no)$/gm)?.length, 106);
});

test('missing vectors are not computed with another model than that of the journal', async t => {
	const {settings} = await begin(t);
	await t.throwsAsync(ask(settings, 'profile'), {instanceOf: ConfigurationError, message: /journal was begun with .*model “fake”/});
});

test('without a journal, the error names the folder', async t => {
	await t.throwsAsync(ask(readSettings({DATA_DIR: 'nowhere'}, {}), 'profile'), {
		instanceOf: UnknownIdentityError,
		message: /no identity in .*nowhere.* yet/,
	});
});

test('table columns are as wide as their cells, and numbers are right-aligned', t => {
	t.is(formatTable(['name', 'z', 'moves'], [['analysis', '2.10', true], ['sea', '-0.50', false], ['x', null, true]]), [
		'name          z  moves',
		'analysis   2.10  yes',
		'sea       -0.50  no',
		'x             –  yes',
	].join('\n'));
});
