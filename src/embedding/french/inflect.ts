/** English forms of the table's words, by rule or, if irregular, from the table. In an entry of several words, the first is the verb. */

/** The irregular forms, by word. */
export type IrregularForms = {
	readonly past: ReadonlyMap<string, readonly [past: string, participle: string]>;
	readonly plurals: ReadonlyMap<string, string>;
};

/** Whether the final consonant is doubled: in a single syllable, after a short vowel. */
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

/** Adds the s of a plural or of the third person. */
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

/** Functions that inflect English verbs, given as infinitives, and nouns. */
export const createInflections = ({past, plurals}: IrregularForms) => ({
	/** “they lost” */
	past: ofVerb(verb => past.get(verb)?.[0] ?? add(verb, 'ed')),
	/** “they had lost” */
	participle: ofVerb(verb => past.get(verb)?.[1] ?? add(verb, 'ed')),
	/** “she loses” */
	third: ofVerb(verb => ({have: 'has', can: 'can', must: 'must'})[verb] ?? addS(verb)),
	/** “losing” */
	gerund: ofVerb(verb => add(verb, 'ing')),
	/** “losses”, for both “loss” and “losses” */
	plural(english: string): string {
		const words = english.split(' ');
		const noun = words.pop()!;
		const isPlural = /[^isu]s$/.test(noun);
		return isPlural ? english : [...words, plurals.get(noun) ?? addS(noun)].join(' ');
	},
});

export type Inflections = ReturnType<typeof createInflections>;
