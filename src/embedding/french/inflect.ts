/** English forms of the table's words: by rule, and by the table where a word has its own. Of several words the verb is the first. */

/** The forms of words that follow no rule. */
export type IrregularForms = {
	readonly past: ReadonlyMap<string, readonly [past: string, participle: string]>;
	readonly plurals: ReadonlyMap<string, string>;
};

/** A short vowel and a consonant at the end of one syllable: the consonant is doubled. */
const isDoubled = (word: string): boolean => /^[^aeiou]*[aeiou][bdgklmnprt]$/.test(word);

const add = (word: string, ending: 'ed' | 'ing'): string => {
	if (word.endsWith('e') && !(ending === 'ing' && /(?:[eoy]e|inge)$/.test(word))) {
		return word.slice(0, -1) + ending;
	}

	if (ending === 'ed' && /[^aeiou]y$/.test(word)) {
		return `${word.slice(0, -1)}ied`;
	}

	return word + (isDoubled(word) ? word.at(-1)! : '') + ending;
};

/** With the s of a plural or of a third person. */
const addS = (word: string): string => {
	if (/[^aeiou]y$/.test(word)) {
		return `${word.slice(0, -1)}ies`;
	}

	return `${word}${/(?:s|x|z|ch|sh|[dg]o)$/.test(word) ? 'es' : 's'}`;
};

const ofVerb = (inflect: (verb: string) => string) => (english: string): string => {
	const [verb, ...others] = english.split(' ') as [string, ...string[]];
	return [inflect(verb), ...others].join(' ');
};

/** What inflects English verbs and nouns. Verbs are given as their infinitive. */
export const createInflections = ({past, plurals}: IrregularForms) => ({
	/** “they lost” */
	past: ofVerb(verb => past.get(verb)?.[0] ?? add(verb, 'ed')),
	/** “they had lost” */
	participle: ofVerb(verb => past.get(verb)?.[1] ?? add(verb, 'ed')),
	/** “she loses” */
	third: ofVerb(verb => ({have: 'has', can: 'can', must: 'must'})[verb] ?? addS(verb)),
	/** “losing” */
	gerund: ofVerb(verb => add(verb, 'ing')),
	/** “losses”, also of “losses” */
	plural(english: string): string {
		const words = english.split(' ');
		const noun = words.pop()!;
		const isPlural = /[^isu]s$/.test(noun);
		return isPlural ? english : [...words, plurals.get(noun) ?? addS(noun)].join(' ');
	},
});

export type Inflections = ReturnType<typeof createInflections>;
