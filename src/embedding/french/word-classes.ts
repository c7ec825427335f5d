/** Closed classes of French words, for the rules of glossing and conjugation. */

/** The second part of a negation, and its English before the verb. */
export const negators: Readonly<Record<string, string>> = {
	pas: 'not', point: 'not', plus: 'no longer', jamais: 'never', guère: 'hardly', que: 'only', 'qu\'': 'only',
};

/** The maximum distance in words from “ne” to its second part. */
export const negationReach = 6;

/** A second part that keeps its place: “je ne vois rien”, “il n'y a personne”. */
export const negatorsInPlace: Readonly<Record<string, string>> = {personne: 'nobody'};

export const subjects = new Set(['je', 'j\'', 'tu', 'il', 'elle', 'on', 'nous', 'vous', 'ils', 'elles', 'ça', 'cela', 'ce', 'c\'', 'qui']);

/** The reflexive pronouns, by subject. */
export const reflexives: Readonly<Record<string, readonly string[]>> = {
	je: ['me', 'm\''], 'j\'': ['me', 'm\''], tu: ['te', 't\''], nous: ['nous'], vous: ['vous'],
};

/** Object pronouns: before the verb in French, after it in English. */
export const objects: Readonly<Record<string, string>> = {
	me: 'me', 'm\'': 'me', te: 'you', 't\'': 'you', le: 'it', la: 'it', 'l\'': 'it', les: 'them', lui: 'him', leur: 'them',
	nous: 'us', vous: 'you', en: '-', y: '-',
};

/** A verb with this ending has the pronoun as its subject. */
export const ownEndings: Readonly<Record<string, RegExp>> = {nous: /(?:ons|mes)$/, vous: /(?:ez|tes)$/};

export const determiners = new Set([
	'le', 'la', 'l\'', 'les', 'un', 'une', 'des', 'du', 'mon', 'ma', 'mes', 'ton', 'ta', 'tes', 'son', 'sa', 'ses',
	'notre', 'nos', 'votre', 'vos', 'leur', 'leurs', 'ce', 'cet', 'cette', 'ces', 'quel', 'quelle', 'chaque',
	'aucun', 'aucune', 'nul', 'au', 'aux', 'de', 'd\'',
]);

/** After these a noun is a plural, even with one of the following adjectives between. */
export const pluralDeterminers = new Set([
	'les', 'mes', 'tes', 'ses', 'nos', 'vos', 'leurs', 'ces', 'aux', 'deux', 'trois', 'quatre', 'quelques', 'plusieurs',
]);

export const adjectivesBefore = new RegExp(
	'^(?:grand|petit|bon|mauvais|jeune|nouvelle|gros|autre|premier|dernier|long|joli|vrai|meilleur|vieille|belle)e?s?$'
	+ '|^(?:vieux|beaux|nouveaux|mêmes|deux)$',
);

/** Words before an infinitive that become “to”. */
export const toInfinitive = new Set(['de', 'd\'', 'à', 'pour']);

export const comparatives = /^(?:plus|moins|meilleure?s?|mieux|pire)$/;

/** The only verb after these is an infinitive. */
export const prepositions = new Set([
	'de', 'd\'', 'à', 'en', 'dans', 'par', 'pour', 'sur', 'sous', 'avec', 'sans', 'chez', 'entre', 'très', 'plus', 'et', 'ou',
]);

/** After a verb, these begin its object. */
export const openers = new Set([
	'le', 'la', 'l\'', 'les', 'un', 'une', 'mon', 'ma', 'mes', 'ton', 'ta', 'tes', 'son', 'sa', 'ses',
	'notre', 'nos', 'votre', 'vos', 'ce', 'cette', 'à',
]);

/** The present of “avoir” and “être”. */
export const presents = new Set(['ai', 'as', 'a', 'avons', 'avez', 'ont', 'suis', 'es', 'est', 'sommes', 'êtes', 'sont']);

/** Reflexive pronouns before “être”. */
export const ownPronouns = new Set(['se', 's\'', 'me', 'm\'', 'te', 't\'']);

/** Adverbs that may stand between an auxiliary and its participle. */
export const adverbs = new Set([
	'pas', 'plus', 'jamais', 'rien', 'déjà', 'toujours', 'bien', 'mal', 'encore', 'tout', 'trop', 'beaucoup', 'enfin', 'vraiment', 'souvent',
	'presque', 'même', 'aussi', 'tellement', 'peu',
]);
