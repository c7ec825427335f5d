/** Closed classes of French words: what the rules of glosses and of conjugation go by. */

/** The second part of a negation, in English and in front of the verb. */
export const negators: Readonly<Record<string, string>> = {
	pas: 'not', point: 'not', plus: 'no longer', jamais: 'never', guère: 'hardly', que: 'only', 'qu\'': 'only',
};

/** How many words after “ne” its second part may be. */
export const negationReach = 6;

/** A second part that keeps its place: “je ne vois rien”, “il n'y a personne”. */
export const negatorsInPlace: Readonly<Record<string, string>> = {personne: 'nobody'};

export const subjects = new Set(['je', 'j\'', 'tu', 'il', 'elle', 'on', 'nous', 'vous', 'ils', 'elles', 'ça', 'cela', 'ce', 'c\'', 'qui']);

/** The pronouns that mean the subject itself. */
export const reflexives: Readonly<Record<string, readonly string[]>> = {
	je: ['me', 'm\''], 'j\'': ['me', 'm\''], tu: ['te', 't\''], nous: ['nous'], vous: ['vous'],
};

/** Pronouns in front of a verb whose place in English is behind it. */
export const objects: Readonly<Record<string, string>> = {
	me: 'me', 'm\'': 'me', te: 'you', 't\'': 'you', le: 'it', la: 'it', 'l\'': 'it', les: 'them', lui: 'him', leur: 'them',
	nous: 'us', vous: 'you', en: '-', y: '-',
};

/** A verb of this ending has the pronoun as its subject. */
export const ownEndings: Readonly<Record<string, RegExp>> = {nous: /(?:ons|mes)$/, vous: /(?:ez|tes)$/};

export const determiners = new Set([
	'le', 'la', 'l\'', 'les', 'un', 'une', 'des', 'du', 'mon', 'ma', 'mes', 'ton', 'ta', 'tes', 'son', 'sa', 'ses',
	'notre', 'nos', 'votre', 'vos', 'leur', 'leurs', 'ce', 'cet', 'cette', 'ces', 'quel', 'quelle', 'chaque',
	'aucun', 'aucune', 'nul', 'au', 'aux', 'de', 'd\'',
]);

/** Behind these a noun is a plural, also behind one of these adjectives. */
export const pluralDeterminers = new Set([
	'les', 'mes', 'tes', 'ses', 'nos', 'vos', 'leurs', 'ces', 'aux', 'deux', 'trois', 'quatre', 'quelques', 'plusieurs',
]);

export const adjectivesBefore = new RegExp(
	'^(?:grand|petit|bon|mauvais|jeune|nouvelle|gros|autre|premier|dernier|long|joli|vrai|meilleur|vieille|belle)e?s?$'
	+ '|^(?:vieux|beaux|nouveaux|mêmes|deux)$',
);

/** In front of an infinitive. */
export const toInfinitive = new Set(['de', 'd\'', 'à', 'pour']);

export const comparatives = /^(?:plus|moins|meilleure?s?|mieux|pire)$/;

/** Behind these stands no verb but an infinitive. */
export const prepositions = new Set([
	'de', 'd\'', 'à', 'en', 'dans', 'par', 'pour', 'sur', 'sous', 'avec', 'sans', 'chez', 'entre', 'très', 'plus', 'et', 'ou',
]);

/** Behind a verb these begin what it is about. */
export const openers = new Set([
	'le', 'la', 'l\'', 'les', 'un', 'une', 'mon', 'ma', 'mes', 'ton', 'ta', 'tes', 'son', 'sa', 'ses',
	'notre', 'nos', 'votre', 'vos', 'ce', 'cette', 'à',
]);

/** The present of “avoir” and “être”. */
export const presents = new Set(['ai', 'as', 'a', 'avons', 'avez', 'ont', 'suis', 'es', 'est', 'sommes', 'êtes', 'sont']);

/** Pronouns of the subject itself in front of “être”. */
export const ownPronouns = new Set(['se', 's\'', 'me', 'm\'', 'te', 't\'']);

/** Between an auxiliary and its participle. */
export const adverbs = new Set([
	'pas', 'plus', 'jamais', 'rien', 'déjà', 'toujours', 'bien', 'mal', 'encore', 'tout', 'trop', 'beaucoup', 'enfin', 'vraiment', 'souvent',
	'presque', 'même', 'aussi', 'tellement', 'peu',
]);
