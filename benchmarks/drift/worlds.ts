/** Worlds: sentences, and the scenarios of histories that have them. Each thread opens its world by its name. */
import {readChannel} from './channel.ts';
import {makeFrenchWorld, makeWorld} from './made.ts';
import {readQuotes} from './quotes.ts';
import type {Scenario} from './streams.ts';
import {readTraits} from './traits.ts';

export type World = {
	/** Each sentence once. */
	readonly sentences: readonly string[];
	readonly scenarios: readonly Scenario[];
	/** The model that embeds them; by default the bundled one. */
	readonly model?: string;
};

/** The worlds by name. Some are read from a folder. */
const worlds = {made: makeWorld, french: makeFrenchWorld, channel: readChannel, traits: readTraits, quotes: readQuotes};

/** Which world: its name, and the folder with its texts. */
export type WorldName = {readonly name: keyof typeof worlds; readonly folder: string};

export const openWorld = ({name, folder}: WorldName): World => worlds[name](folder);
