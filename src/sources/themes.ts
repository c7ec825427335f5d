/** The sentences that the daemon's loop thinks about: data of the package, checked when it is read. */
import {readFile} from 'node:fs/promises';
import {Type} from 'typebox';
import {Value} from 'typebox/value';

/** Sentences to think about; both lists hold at least one. */
export type Themes = {readonly rumination: readonly string[]; readonly corpus: readonly string[]};

const List = Type.Array(Type.String({minLength: 1}), {minItems: 1});
const ThemeFile = Type.Object({rumination: List, corpus: List});

const builtInThemes = new URL('../../data/themes.json', import.meta.url);

/** Reads the theme sentences of the package. @throws when the file is damaged, since the loop could not run. */
export const readThemes = async (): Promise<Themes> =>
	Value.Parse(ThemeFile, JSON.parse(await readFile(builtInThemes, 'utf8')));
