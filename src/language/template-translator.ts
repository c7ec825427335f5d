/**
 * A translator without a model, for offline use: it puts the state's leanings into fixed sentences. It ignores the
 * caller's context, and never reasons.
 */
import type {Language} from '../platform/phrase.ts';
import {quoteInEnglish} from '../platform/plain-line.ts';
import {scaledTraitsOf, traitsOf, type Strength, type Trait} from './traits.ts';
import type {TranslationRequest, Translator} from './translator.ts';

/** More projections would make the text hard to read. */
const maxTraits = 8;

const guillemets = (text: string): string => `« ${text} »`;

const strengthsInFrench: Readonly<Record<Strength, string>> = {
	strongly: 'fortement', clearly: 'nettement', somewhat: 'assez', slightly: 'légèrement', barely: 'à peine',
};

const english = {
	/** Poles are adjectives or nouns. Quoted, both fit the sentence. */
	phrase: ({towards, awayFrom}: Trait) => `${quoteInEnglish(towards)} rather than ${quoteInEnglish(awayFrom)}`,
	sentence: (strength: Strength, traits: string) => `I lean ${strength} towards ${traits}.`,
	list: new Intl.ListFormat('en', {type: 'conjunction'}),
	beganAtRandom: 'This identity began at random; only the movements that texts have caused since say anything about it.',
	noScale: 'The directions have no scale, so the following may be chance.',
	nothing: 'Nothing about this identity stands out.',
};

type Wording = typeof english;

const french: Wording = {
	phrase: ({towards, awayFrom}) => `${guillemets(towards)} plutôt que ${guillemets(awayFrom)}`,
	sentence: (strength, traits) => `Je penche ${strengthsInFrench[strength]} vers ${traits}.`,
	list: new Intl.ListFormat('fr', {type: 'conjunction'}),
	beganAtRandom: 'Cette identité est née au hasard ; seul ce que des textes ont déplacé depuis en dit quelque chose.',
	noScale: 'Les directions n\'ont pas d\'échelle : ce qui suit peut être dû au hasard.',
	nothing: 'Rien ne distingue cette identité.',
};

/** One sentence per strength. */
const sayTraits = (traits: readonly Trait[], {phrase, sentence, list}: Wording): string[] =>
	[...Map.groupBy(traits.slice(0, maxTraits), ({strength}) => strength)]
		.map(([strength, group]) => sentence(strength, list.format(group.map(trait => phrase(trait)))));

/** Puts notes for the reader before the speaker's words. Nothing that is chance is said in the first person. */
const sayScaled = (
	{begunAtRandom, standOut}: NonNullable<TranslationRequest['scaled']>, profile: TranslationRequest['profile'], wording: Wording,
): string[] => {
	const beginning = begunAtRandom ? [wording.beganAtRandom] : [];
	if (standOut === null) {
		return [...beginning, wording.noScale, ...sayTraits(traitsOf(profile), wording)];
	}

	return [...beginning, ...(standOut.length === 0 ? [wording.nothing] : sayTraits(scaledTraitsOf(standOut), wording))];
};

const translatorWith = (wording: Wording): Translator => ({
	async translate({profile, scaled}) {
		return {
			text: (scaled ? sayScaled(scaled, profile, wording) : sayTraits(traitsOf(profile), wording)).join(' '), reasoningDetected: false,
		};
	},
});

/** The template translator of each language. */
export const templateTranslators: Readonly<Record<Language, Translator>> = {
	en: translatorWith(english),
	fr: translatorWith(french),
};

/**
 * Puts the directions that differ from chance into fixed sentences or, if those are unknown, the strongest projections.
 * The same request gives the same text. It throws a LanguageError if it needs projections and all are 0.
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
export const templateTranslator: Translator = templateTranslators.en;
