/** Worlds: sentences, and the lives that hear them. A thread makes its own from what names it. */
import {readChannel} from './channel.ts';
import {makeFrenchWorld, makeWorld} from './made.ts';
import {readQuotes} from './quotes.ts';
import type {Scenario} from './streams.ts';
import {readTraits} from './traits.ts';

export type World = {
	/** Each once. */
	readonly sentences: readonly string[];
	readonly scenarios: readonly Scenario[];
	/** What reads them; by default the bundled encoder. */
	readonly model?: string;
};

/** Worlds by name; those that are read from a folder get it. */
const worlds = {made: makeWorld, french: makeFrenchWorld, channel: readChannel, traits: readTraits, quotes: readQuotes};

/** Which world: its name, and the folder with its texts. */
export type WorldName = {readonly name: keyof typeof worlds; readonly folder: string};

export const openWorld = ({name, folder}: WorldName): World => worlds[name](folder);
