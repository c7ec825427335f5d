/** The default parts that come as files of the package, each imported only when it is needed. */
import type {Encoder} from '../embedding/encoder.ts';
import {languagesOf} from '../embedding/use-lite/identifier.ts';
import {ConfigurationError, reasonOf} from '../platform/errors.ts';
import type {Direction} from '../semiosis/profile.ts';
import {mayFail, type Boot} from '../sources/source.ts';
import type {Themes} from '../sources/themes.ts';
import type {EncoderBoot} from './deps.ts';

/** @throws {ConfigurationError} if the runtime cannot read the package's files, as in a page */
const importPackaged = async (what: string, option: 'encoder' | 'themes' | 'directions') => {
	try {
		return await import('./packaged.ts');
	} catch (error) {
		throw new ConfigurationError(
			`${what} among the package's files, which this runtime cannot read (${reasonOf(error)}). Give the option ${option}.`,
			{cause: error},
		);
	}
};

export const loadBundledEncoder = async ({signal}: EncoderBoot): Promise<Encoder> =>
	(await importPackaged('The bundled model is', 'encoder')).loadEncoder({}, {signal});

export const readPackagedThemes = async (): Promise<Themes> =>
	(await importPackaged('The sentences that the daemon thinks about are', 'themes')).loadThemes();

/** Loads the built-in catalogue; empty for any model but the bundled ones, to which its vectors belong. */
export const loadDefaultDirections = mayFail(async (boot: Boot): Promise<readonly Direction[]> =>
	languagesOf(boot.encoder.passport.model)
		? (await importPackaged('The built-in directions are', 'directions')).loadBuiltInDirections(boot)
		: [],
);
