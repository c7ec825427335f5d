/** Loads the sentences for autonomous cycles from a data file of the package. */
import {readFile} from 'node:fs/promises';
import type {Boot} from './source.ts';
import {packageFile} from '../platform/package-file.ts';
import type {Language} from '../platform/phrase.ts';
import {Type, Value} from '../platform/typebox.ts';

/** Sentences for autonomous cycles; both lists have at least one. */
export type Themes = {readonly rumination: readonly string[]; readonly corpus: readonly string[]};

const List = Type.Array(Type.String({minLength: 1}), {minItems: 1});
const ThemeFile = Type.Object({rumination: List, corpus: List});

/**
 * Reads the built-in themes, in English by default. @throws if the file is damaged.
 *
 * @example
 * ```ts
 * import {createIdentity} from 'processual-state';
 * import {loadThemes} from 'processual-state/sources';
 *
 * const {rumination, corpus} = await loadThemes();
 * export const identity = createIdentity({themes: {rumination, corpus: [...corpus, 'The harbour at night.']}});
 * ```
 */
export const loadThemes = async ({language = 'en'}: {language?: Language} & Partial<Boot> = {}): Promise<Themes> => {
	const file = packageFile(language === 'fr' ? 'data/french/themes.json' : 'data/themes.json');
	return Value.Parse(ThemeFile, JSON.parse(await readFile(file, 'utf8')));
};
