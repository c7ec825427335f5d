/** `processual reembed`: rebuilds the journal under the configured embedding model. */
import type {LoadedEncoder} from '../embedding/encoder.ts';
import {UnknownIdentityError} from '../platform/errors.ts';
import type {Database} from '../platform/postgres/database.ts';
import {selectKernel} from '../kernel/select.ts';
import {createProgressBar, loadModel} from './progress.ts';
import {openDatabaseOf} from './open-journal.ts';
import {openSources} from './open-sources.ts';
import {toJournalFolder} from './options.ts';
import {reembedJournal} from './reembed-journal.ts';
import {reembedRecords, type Reembedded, type ReembedOptions} from './reembed-records.ts';
import type {Settings} from './settings.ts';

export const reembed = async (settings: Settings): Promise<void> => {
	const database = await openDatabaseOf(settings);
	const {sources: {authority, corroborate}, close} = await openSources(settings, database);
	const bar = createProgressBar('records');
	const {signal} = new AbortController();
	let encoder: LoadedEncoder | null = null;
	try {
		encoder = await loadModel(settings);
		const options = {
			encoder,
			kernel: selectKernel(settings.KERNEL),
			authority: await authority({encoder, signal}),
			corroborate: corroborate && (async (vector: Float32Array) => corroborate(vector, signal)),
			onProgress: bar.update,
		};
		const {cycles, stateId, oldFolder} = database
			? {...await reembedInDatabase(database, settings.IDENTITY, options), oldFolder: 'the database, put aside'}
			: await reembedJournal({folder: toJournalFolder(settings), ...options});
		bar.stop();
		process.stdout.write(`${cycles} cycles were run again with ${encoder.passport.model}; the state has id ${stateId}. `
			+ `The old journal is kept in ${oldFolder}.\n`);
	} finally {
		bar.stop();
		await encoder?.dispose();
		await close();
		await database?.close();
	}
};

/** @throws {MovedError} while a node has the identity, or when one takes it over during the run; the journal is then as it was */
export const reembedInDatabase = async (database: Database, name: string, options: ReembedOptions): Promise<Reembedded> => {
	const [{readPostgresJournal}, {replacePostgresJournal}] = await Promise.all([
		import('../journal/postgres/postgres-view.ts'),
		import('../journal/postgres/replacement.ts'),
	]);
	const requireBegun = async () => {
		const view = await readPostgresJournal(database, name);
		if (!view) {
			throw new UnknownIdentityError(`There is no identity “${name}” in the database that has begun. Give its name by --identity.`);
		}

		return {...view, close() {}};
	};

	await requireBegun();
	const {journal, finish, cancel} = await replacePostgresJournal(database, name);
	try {
		// From here on no record is added that would not be seen: its writer would have raised the epoch.
		const outcome = await reembedRecords(await requireBegun(), journal, options);
		await finish();
		return outcome;
	} catch (error) {
		await cancel();
		throw error;
	}
};
