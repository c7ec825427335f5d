/** What an identity is made of where its options say nothing. What comes with the package as files is imported when it is wanted. */
import type {BootSources} from '../actors/deps.ts';
import type {Encoder} from '../embedding/encoder.ts';
import {ConfigurationError, reasonOf} from '../errors.ts';
import type {Themes} from '../sources/themes.ts';

/** @throws {ConfigurationError} where the files of the package cannot be read, as in a page. */
const importPackaged = async (what: string, option: 'loadEncoder' | 'themes' | 'directions') => {
	try {
		return await import('./packaged.ts');
	} catch (error) {
		throw new ConfigurationError(`${what} among the package's files, which this runtime cannot read (${reasonOf(error)}). Give createIdentity the option ${option}.`, {cause: error});
	}
};

export const loadBundledEncoder = async (signal: AbortSignal): Promise<Encoder> => (await importPackaged('The bundled model is', 'loadEncoder')).loadBundledEncoder(signal);

export const readPackagedThemes = async (): Promise<Themes> => (await importPackaged('The sentences that the daemon thinks about are', 'themes')).readThemes();

export const loadBuiltInDirections: BootSources['directions'] = async (encoder, signal) => (await importPackaged('The built-in directions are', 'directions')).loadBuiltInDirections(encoder, signal);
