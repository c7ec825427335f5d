/**
 * A translator without a model: the strongest projections in fixed English sentences, for offline
 * use. It cannot take up the caller's context, and never reasons.
 */
import {traitsOf, type Strength, type Trait} from './traits.ts';
import type {Translator} from './translator.ts';

/** As many as are read in a breath. */
const told = 8;

/** Poles are adjectives or nouns, in whatever language they were written: quoted, both read well. */
const phraseOf = ({towards, awayFrom}: Trait): string => `“${towards}” rather than “${awayFrom}”`;

const joined = new Intl.ListFormat('en', {type: 'conjunction'});

/** One sentence per strength, the strongest first. */
const sentenceOf = ([strength, traits]: [Strength, Trait[]]): string =>
	`I lean ${strength} towards ${joined.format(traits.map(trait => phraseOf(trait)))}.`;

/**
 * Says the strongest projections in fixed sentences; it needs no model and gives the same text for the same profile.
 *
 * @example
 * ```ts
 * import {createProcess} from 'processual-state';
 * import {templateTranslator} from 'processual-state/language';
 *
 * const identity = createProcess({translator: async () => templateTranslator});
 * await identity.ready();
 * const {text} = await identity.translate({context: null});
 * console.log(text);
 * await identity.dispose();
 * ```
 */
export const templateTranslator: Translator = {
	/** @throws {LanguageError} when the profile has nothing to say. */
	async translate({profile}) {
		const byStrength = Map.groupBy(traitsOf(profile).slice(0, told), ({strength}) => strength);
		return {text: [...byStrength].map(group => sentenceOf(group)).join(' '), reasoningDetected: false};
	},
};
