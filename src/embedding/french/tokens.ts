/** The words of a French text. */
import type {FrenchTable} from './table.ts';

export type Token = {
	/** As the text has it, and in small letters with a straight apostrophe. */
	readonly text: string;
	readonly word: string;
	readonly isWord: boolean;
	/** Whether a name may be written like this: capital, and not at the beginning of a sentence. */
	readonly isName: boolean;
};

const parts = /\p{L}[\p{L}\p{M}\p{N}]*(?:-\p{L}[\p{L}\p{M}\p{N}]*)*'?|\p{N}+|[^\s\p{L}\p{N}]+/gu;

/** The words of a text, those with hyphens as the table has them: “dis-moi” is two, “grand-mère” one. */
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

		// The t of “a-t-il” is there for the sound.
		return part.split('-').filter(piece => piece.toLowerCase() !== 't')
			.map(piece => ({text: piece, word: piece.toLowerCase(), isWord, isName}));
	}) ?? [];
};
