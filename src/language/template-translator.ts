/**
 * A translator without a model, for offline use: what the state leans to, in fixed English
 * sentences. It ignores the caller's context, and never reasons.
 */
import {quote} from '../platform/plain-line.ts';
import {scaledTraitsOf, traitsOf, type Strength, type Trait} from './traits.ts';
import type {TranslationRequest, Translator} from './translator.ts';

/** More projections make the text hard to read. */
const maxTraits = 8;

/** Poles are adjectives or nouns, in any language; quoted, both fit the sentence. */
const phraseOf = ({towards, awayFrom}: Trait): string => `${quote(towards)} rather than ${quote(awayFrom)}`;

const list = new Intl.ListFormat('en', {type: 'conjunction'});

/** One sentence per strength. */
const sentenceOf = ([strength, traits]: [Strength, Trait[]]): string =>
	`I lean ${strength} towards ${list.format(traits.map(trait => phraseOf(trait)))}.`;

const sayTraits = (traits: readonly Trait[]): string[] =>
	[...Map.groupBy(traits.slice(0, maxTraits), ({strength}) => strength)].map(group => sentenceOf(group));

/** Not the speaker's words: what a reader must know before them. Nothing that is chance is said in the first person. */
const sayScaled = (
	{begunAtRandom, standOut}: NonNullable<TranslationRequest['scaled']>, profile: TranslationRequest['profile'],
): string[] => {
	const beginning = begunAtRandom ? ['This identity began at random; only what texts have moved since says anything about it.'] : [];
	if (standOut === null) {
		return [...beginning, 'The directions have no scale, so what follows may be chance.', ...sayTraits(traitsOf(profile))];
	}

	return [...beginning, ...(standOut.length === 0 ? ['Nothing about this identity stands out.'] : sayTraits(scaledTraitsOf(standOut)))];
};

/**
 * Puts what differs from chance into fixed sentences; where that is not known, the strongest projections.
 * The same request gives the same text.
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
	async translate({profile, scaled}) {
		return {text: (scaled ? sayScaled(scaled, profile) : sayTraits(traitsOf(profile))).join(' '), reasoningDetected: false};
	},
};
