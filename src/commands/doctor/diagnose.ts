/**
 * Checks each part that the settings name, in order. Nothing is downloaded or changed; trial files
 * are removed. Reading a database may leave the empty files of its write-ahead log.
 */
import type {LoadedEncoder} from '../../embedding/encoder.ts';
import {reasonOf} from '../../platform/errors.ts';
import {openSources, type OpenSources} from '../open-sources.ts';
import {
	checkAuthority, checkDatabase, checkDirections, checkJournal, checkLanguageModel, checkModel, checkPort, checkReference, checkService,
	checkStore, requireWritable, type Result,
} from './checks.ts';
import {findWithoutEffect} from '../read-settings.ts';
import type {Settings} from '../settings.ts';

export type Finding = Result & {
	part: 'service' | 'model' | 'directions' | 'store' | 'reference' | 'authority' | 'database' | 'journal' | 'language model' | 'port';
};

/** Yields one finding per part. An error that a check throws becomes the finding of its part. */
export async function * diagnose(settings: Settings): AsyncGenerator<Finding> {
	let encoder = null as LoadedEncoder | null;
	let opened = null as OpenSources | null;
	// True until known otherwise: a journal that cannot be read exists, too.
	let hasJournal = true;
	try {
		if (settings.PROCESSUAL_URL !== undefined) {
			yield await find('service', () => checkService(settings, settings.PROCESSUAL_URL!));
		}

		yield await find('model', () => checkModel(settings, loaded => {
			encoder = loaded;
		}));
		if (settings.DATABASE_URL !== undefined) {
			yield await find('database', () => checkDatabase(settings));
		}

		yield await find('journal', async () => {
			const result = await checkJournal(settings, encoder);
			hasJournal = result !== null;
			if (settings.DATABASE_URL === undefined) {
				requireWritable(settings);
			}

			return result ?? {state: 'ok', message: 'there is none yet; the next start creates one'};
		});
		yield await find('store', async () => {
			opened = await openSources(settings);
			return checkStore(settings, opened, encoder, hasJournal);
		});
		if (opened) {
			const {sources}: OpenSources = opened;
			yield await find('reference', () => checkReference(settings, sources));
			if (encoder) {
				const loaded: LoadedEncoder = encoder;
				if (settings.AUTHORITY_FILE !== undefined) {
					yield await find('authority', () => checkAuthority(settings, sources, loaded));
				}

				yield await find('directions', () => checkDirections(settings, sources, loaded));
			}
		}

		yield await find('language model', () => checkLanguageModel(settings));
		yield await find('port', () => checkPort(settings));
	} finally {
		await encoder?.dispose();
		await opened?.[Symbol.asyncDispose]();
	}
}

const find = async (part: Finding['part'], check: () => Result | Promise<Result>): Promise<Finding> => {
	try {
		return {part, ...await check()};
	} catch (error) {
		return {part, state: 'error', message: reasonOf(error)};
	}
};

const signs = {ok: '✓', warning: '!', error: '✗'};

/** `processual doctor`: prints one line per part. Exit code 1 if a part does not work. */
export const doctor = async (settings: Settings): Promise<void> => {
	for (const sentence of findWithoutEffect(process.env)) {
		process.stdout.write(`${signs.warning} settings: ${sentence}\n`);
	}

	for await (const {part, state, message} of diagnose(settings)) {
		process.stdout.write(`${signs[state]} ${part}: ${message}\n`);
		process.exitCode ||= Number(state === 'error');
	}
};
