/** Splits a French text into words. */
import type {FrenchTable} from './table.ts';

export type Token = {
	/** As in the text; `word` is the same in lower case. Apostrophes are straight. */
	readonly text: string;
	readonly word: string;
	readonly isWord: boolean;
	/** Whether it may be a name: capitalised, and not at the beginning of a sentence. */
	readonly isName: boolean;
};

const parts = /\p{L}[\p{L}\p{M}\p{N}]*(?:-\p{L}[\p{L}\p{M}\p{N}]*)*'?|\p{N}+|[^\s\p{L}\p{N}]+/gu;

/** The words of a text. Hyphenated words are split unless the table has them: “dis-moi” is two words, “grand-mère” one. */
export const tokensOf = (text: string, {words, verbs, phrases}: FrenchTable): Token[] => {
	let isStart = true;
	return text.normalize('NFC').replaceAll('’', '\'').match(parts)?.flatMap(part => {
		const word = part.toLowerCase();
		const isWord = /^\p{L}/u.test(part);
		const isName = isWord && !isStart && word !== part;
		isStart = !isWord && /[.!?…:\n]/u.test(part);
		if (!word.includes('-') || words.has(word) || verbs.has(word) || phrases.has(word)) {
			return [{text: part, word, isWord, isName}];
		}

		// The t of “a-t-il” is only for euphony.
		return part.split('-').filter(piece => piece.toLowerCase() !== 't')
			.map(piece => ({text: piece, word: piece.toLowerCase(), isWord, isName}));
	}) ?? [];
};
