/** The inflected forms of a language's words, by the suffixes of a Hunspell dictionary. */

type Affix = {strip: string; add: string; condition: RegExp};

/** One reading of a word: its lemma, whether it is a verb, and its forms. */
export type Lemma = {lemma: string; isVerb: boolean; forms: string[]};

const affixLine = /^SFX +(?<flag>\S{1,2}) +(?<strip>\S+) +(?<add>[^\s/]+)\S* +(?<condition>\S+)/u;

const orNothing = (text: string): string => text === '0' ? '' : text;

/** The suffixes by their flag. French prefixes are elided words, which are split off the words of a text. */
const readAffixes = (text: string): Map<string, Affix[]> => {
	const affixes = new Map<string, Affix[]>();
	for (const line of text.split('\n')) {
		const {flag, strip, add, condition} = affixLine.exec(line)?.groups ?? {};
		if (flag) {
			const affix = {strip: orNothing(strip!), add: orNothing(add!), condition: new RegExp(`${condition!}$`, 'u')};
			affixes.set(flag, [...affixes.get(flag) ?? [], affix]);
		}
	}

	return affixes;
};

/** Flags of conjugations are a lower-case letter and a digit or a capital; `p+` gives participles. */
const conjugation = /^[a-z][\dA-Z]/u;

/** Reads a dictionary's words, each with its forms. */
export const readLemmas = (affixText: string, wordText: string): Lemma[] => {
	const affixes = readAffixes(affixText);
	const flag = affixText.includes('FLAG long') ? /../gu : /./gu;
	return wordText.split('\n').slice(1).filter(line => line !== '').map(line => {
		const [lemma, flags = ''] = line.trim().split('/') as [string, string?];
		const inflected = Array.from(flags.matchAll(flag), ([name]) => affixes.get(name) ?? []).flat()
			.filter(({strip, condition}) => lemma.endsWith(strip) && condition.test(lemma))
			.map(({strip, add}) => lemma.slice(0, lemma.length - strip.length) + add);
		return {lemma, isVerb: conjugation.test(flags), forms: [...new Set([lemma, ...inflected])]};
	});
};
