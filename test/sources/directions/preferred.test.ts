/** Which directions are used: those of the store, of a user's catalogue or of the built-in one. */
import {mkdtemp, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import test, {type ExecutionContext} from 'ava';
import {ConfigurationError, StoreError} from '../../../src/platform/errors.ts';
import {loadPreferredDirections} from '../../../src/sources/directions/preferred.ts';
import type {Store, StoredDirection} from '../../../src/sources/store/store.ts';
import {FakeEncoder, vectorOf} from '../../actors/fixtures.ts';
import {collectWarnings} from '../../helpers/collect-warnings.ts';
import {memoryStore} from '../store/memory-store.ts';

const stored = (name: string, changed: Partial<StoredDirection> = {}): StoredDirection =>
	({category: 'affective', name, polePositive: `${name}+`, poleNegative: `${name}-`, model: null, vector: vectorOf(name), ...changed});

const load = async (t: ExecutionContext, {source = 'auto', store = memoryStore({}), ownCatalogue = false}: {
	source?: 'auto' | 'store' | 'file' | 'built-in';
	store?: Store;
	ownCatalogue?: boolean;
}) => {
	const folder = await mkdtemp(path.join(tmpdir(), 'directions-'));
	t.teardown(async () => rm(folder, {recursive: true}));
	const file = path.join(folder, 'own.json');
	const sentences = (pole: string) => ['one', 'two', 'three', 'four'].map(word => `${pole} ${word}`);
	await writeFile(file, JSON.stringify({directions: [{
		category: 'vital',
		name: 'own',
		pole_positive: 'a',
		pole_negative: 'b',
		positive: sentences('a'),
		negative: sentences('b'),
	}]}));
	const {warnings, warn} = collectWarnings();
	const directions = await loadPreferredDirections({source, store, file: ownCatalogue ? file : undefined, folder}, {
		encoder: new FakeEncoder(64),
		signal: new AbortController().signal,
		warn,
	});
	return {names: directions.map(({name}) => name), directions, warnings};
};

test('auto uses the store’s directions if there are any, even with a user’s catalogue', async t => {
	t.deepEqual((await load(t, {store: memoryStore({directions: [stored('calm')]}), ownCatalogue: true})).names, ['calm']);
});

test('auto uses a user’s catalogue rather than the built-in one', async t => {
	t.deepEqual((await load(t, {ownCatalogue: true})).names, ['own']);
	t.is((await load(t, {})).names.length, 105);
});

test('a named source is used, or fails', async t => {
	const store = memoryStore({directions: [stored('calm')]});
	t.deepEqual((await load(t, {source: 'store', store})).names, ['calm']);
	t.deepEqual((await load(t, {source: 'file', store, ownCatalogue: true})).names, ['own']);
	t.is((await load(t, {source: 'built-in', store, ownCatalogue: true})).names.length, 105);
	await t.throwsAsync(load(t, {source: 'store'}), {instanceOf: StoreError, message: /has no directions/});
	await t.throwsAsync(load(t, {source: 'file'}), {instanceOf: ConfigurationError, message: /directions.file is not set/});
});

test('a failing store is not replaced by another source', async t => {
	const store = {...memoryStore({}), async directions() {
		throw new StoreError('down.');
	}};
	await t.throwsAsync(load(t, {store, ownCatalogue: true}), {
		instanceOf: StoreError,
		message: /^down.*set directions.source to another source, such as built-in/,
	});
});

test('a stored direction that cannot be used is skipped with a warning that names it', async t => {
	const {names, warnings} = await load(t, {store: memoryStore({directions: [
		stored('calm'),
		stored('short', {vector: vectorOf('short').subarray(0, 512)}),
		stored('foreign', {model: 'another'}),
		stored('zero', {vector: new Float32Array(1024)}),
	]})});
	t.deepEqual(names, ['calm']);
	t.is(warnings.length, 3);
	t.regex(warnings.join('\n'), /affective\.short.*\n.*affective\.foreign.*“another”.*\n.*affective\.zero/);
});

test('a stored direction is normalised to unit length', async t => {
	const {directions} = await load(t, {
		store: memoryStore({directions: [stored('calm', {vector: vectorOf('calm').map(value => value * 4)})]}),
	});
	t.true(Math.abs(Math.hypot(...directions[0]!.vector!) - 1) < 1e-6);
});
