/**
 * A translator without a model, for offline use: the strongest projections in fixed English
 * sentences. It ignores the caller's context, and never reasons.
 */
import {traitsOf, type Strength, type Trait} from './traits.ts';
import type {Translator} from './translator.ts';

/** More projections make the text hard to read. */
const maxTraits = 8;

/** Poles are adjectives or nouns, in any language; quoted, both fit the sentence. */
const phraseOf = ({towards, awayFrom}: Trait): string => `“${towards}” rather than “${awayFrom}”`;

const list = new Intl.ListFormat('en', {type: 'conjunction'});

/** One sentence per strength. */
const sentenceOf = ([strength, traits]: [Strength, Trait[]]): string =>
	`I lean ${strength} towards ${list.format(traits.map(trait => phraseOf(trait)))}.`;

/**
 * Puts the strongest projections into fixed sentences. The same profile gives the same text.
 *
 * @example
 * ```ts
 * import {createIdentity} from 'processual-state';
 * import {templateTranslator} from 'processual-state/language';
 *
 * const identity = createIdentity({translator: templateTranslator});
 * await identity.ready();
 * const {text} = await identity.translate();
 * console.log(text);
 * await identity.dispose();
 * ```
 */
export const templateTranslator: Translator = {
	/** @throws {LanguageError} when the profile has nothing to say. */
	async translate({profile}) {
		const byStrength = Map.groupBy(traitsOf(profile).slice(0, maxTraits), ({strength}) => strength);
		return {text: [...byStrength].map(group => sentenceOf(group)).join(' '), reasoningDetected: false};
	},
};
