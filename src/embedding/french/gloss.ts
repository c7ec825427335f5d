/**
 * Turns French into English words, one after another, so that a model of English can read it. That is no translation:
 * verbs stay uninflected, and adjectives stand behind their nouns. What a sentence says is seldom lost by that, but it is
 * where a negation or a pronoun is. So these rules, beside the table:
 *
 * - Of “ne … pas, plus, jamais, guère, que” the second part stands where the first is: “je ne crois plus” is
 *   “I no longer believe”.
 * - A pronoun of the verb's own subject goes: “je me lave” is “I wash”. Another stands behind the verb: “il me voit” is
 *   “he see me”.
 * - A form that is a noun and a verb is the verb behind a subject, and the noun elsewhere.
 * - The longest phrase that the table has is taken, with its verb in any form: “j'ai besoin de” is “I need”.
 */
import type {FrenchTable} from './table.ts';

/** What became of a text, and how much of it the table has. */
export type Glossed = {
	readonly english: string;
	/** How many of the letters of the text's words are in words that the table lacks, 0 to 1. Names and numbers count as known. */
	readonly unknownShare: number;
};

export type Token = {
	/** As the text has it, and in small letters with a straight apostrophe. */
	readonly text: string;
	readonly word: string;
	readonly isWord: boolean;
	/** Whether a name may be written like this: capital, and not at the beginning of a sentence. */
	readonly isName: boolean;
};

/** The second part of a negation, in English and in front of the verb. */
const negators: Readonly<Record<string, string>> = {
	pas: 'not', point: 'not', plus: 'no longer', jamais: 'never', guère: 'hardly', que: 'only', 'qu\'': 'only',
};

/** How many words after “ne” its second part may be. */
const negationReach = 6;

/** A second part that keeps its place: “je ne vois rien”, “il n'y a personne”. */
const nobody: Readonly<Record<string, string>> = {personne: 'nobody'};

const subjects = new Set(['je', 'j\'', 'tu', 'il', 'elle', 'on', 'nous', 'vous', 'ils', 'elles', 'ça', 'cela', 'ce', 'c\'', 'qui']);

/** The pronouns that mean the subject itself. */
const reflexives: Readonly<Record<string, readonly string[]>> = {
	je: ['me', 'm\''], 'j\'': ['me', 'm\''], tu: ['te', 't\''], nous: ['nous'], vous: ['vous'],
};

/** Pronouns in front of a verb whose place in English is behind it. */
const objects: Readonly<Record<string, string>> = {
	me: 'me', 'm\'': 'me', te: 'you', 't\'': 'you', le: 'it', la: 'it', 'l\'': 'it', les: 'them', lui: 'him', leur: 'them',
	nous: 'us', vous: 'you', en: '-', y: '-',
};

/** A verb of this ending has the pronoun as its subject. */
const ownEndings: Readonly<Record<string, RegExp>> = {nous: /(?:ons|mes)$/, vous: /(?:ez|tes)$/};

const determiners = new Set([
	'le', 'la', 'l\'', 'les', 'un', 'une', 'des', 'du', 'mon', 'ma', 'mes', 'ton', 'ta', 'tes', 'son', 'sa', 'ses',
	'notre', 'nos', 'votre', 'vos', 'leur', 'leurs', 'ce', 'cet', 'cette', 'ces', 'quel', 'quelle', 'chaque',
	'aucun', 'aucune', 'nul', 'au', 'aux', 'de', 'd\'',
]);

/** Behind these stands no verb but an infinitive. */
const prepositions = new Set([
	'de', 'd\'', 'à', 'en', 'dans', 'par', 'pour', 'sur', 'sous', 'avec', 'sans', 'chez', 'entre', 'très', 'plus', 'et', 'ou',
]);

/** Behind a verb these begin what it is about. */
const openers = new Set([
	'le', 'la', 'l\'', 'les', 'un', 'une', 'mon', 'ma', 'mes', 'ton', 'ta', 'tes', 'son', 'sa', 'ses',
	'notre', 'nos', 'votre', 'vos', 'ce', 'cette', 'à',
]);

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

/** One pass over a text. */
class Glosser {
	readonly #table: FrenchTable;
	readonly #tokens: readonly Token[];
	readonly #english: string[] = [];
	/** Second parts of negations that were said before. */
	readonly #said = new Set<number>();
	/** Pronouns that wait for their verb. */
	#waiting: string[] = [];
	#isAfterSubject = false;
	#isAfterDeterminer = false;
	#letters = 0;
	#unknown = 0;

	constructor(table: FrenchTable, tokens: readonly Token[]) {
		this.#table = table;
		this.#tokens = tokens;
	}

	run(): Glossed {
		for (let at = 0; at < this.#tokens.length;) {
			at += this.#read(at);
		}

		this.#release();
		return {english: this.#english.join(' '), unknownShare: this.#letters === 0 ? 0 : this.#unknown / this.#letters};
	}

	#word(at: number): string | undefined {
		return this.#tokens[at]?.word;
	}

	#say(english: string): void {
		if (english !== '-') {
			this.#english.push(english);
		}
	}

	/** Says the pronouns whose verb was said. */
	#release(): void {
		this.#waiting.forEach(pronoun => this.#say(pronoun));
		this.#waiting = [];
	}

	/** @returns how many words it took */
	#read(at: number): number {
		const {text, word, isWord, isName} = this.#tokens[at]!;
		if (this.#said.has(at)) {
			return 1;
		}

		if (!isWord) {
			this.#release();
			this.#isAfterSubject = false;
			this.#say(text);
			return 1;
		}

		this.#letters += word.length;
		if (word === 'ne' || word === 'n\'') {
			return this.#negate(at);
		}

		const phrase = this.#phraseAt(at);
		if (phrase) {
			this.#release();
			this.#say(phrase.english);
			this.#isAfterSubject = false;
			return phrase.length;
		}

		return this.#readPronoun(at) ?? this.#readWord(at, {text, word, isName});
	}

	/** “ne” itself has no English; the second part is said at its place. */
	#negate(at: number): number {
		for (let there = at + 1; there <= at + negationReach && this.#tokens[there]?.isWord; there++) {
			const word = this.#word(there)!;
			const english = negators[word];
			if (english) {
				const isNotYet = english === 'not' && this.#word(there + 1) === 'encore';
				this.#say(isNotYet ? 'not yet' : english);
				this.#said.add(there);
				if (isNotYet) {
					this.#said.add(there + 1);
				}

				break;
			}

			if (word === 'rien' || word === 'aucun' || word === 'aucune' || word in nobody) {
				break;
			}
		}

		this.#isAfterSubject = true;
		return 1;
	}

	/** The longest phrase that begins here. */
	#phraseAt(at: number): {english: string; length: number} | null {
		const {phrases, verbs, longest} = this.#table;
		const word = this.#word(at)!;
		const infinitive = `${verbs.get(word)?.infinitive}~`;
		for (const first of [word, infinitive]) {
			for (let length = Math.min(longest.get(first) ?? 0, this.#tokens.length - at); length > 0; length--) {
				const others = this.#tokens.slice(at + 1, at + length).map(token => token.word);
				const english = phrases.get([first, ...others].join(' '));
				if (english) {
					return {english, length};
				}
			}
		}

		return null;
	}

	#readPronoun(at: number): number | null {
		const word = this.#word(at)!;
		const before = this.#word(at - 1) ?? '';
		const owner = before === 'ne' || before === 'n\'' ? this.#word(at - 2) ?? '' : before;
		if (reflexives[owner]?.includes(word) && this.#table.verbs.has(this.#word(at + 1) ?? '')) {
			return 1;
		}

		const next = this.#word(at + 1) ?? '';
		const isVerbNext = this.#table.verbs.has(next);
		const isObject = word in objects && !ownEndings[word]?.test(next)
			&& (this.#isAfterSubject ? isVerbNext || next in objects : isVerbNext && !this.#table.words.has(next));
		if (isObject) {
			this.#waiting.push(objects[word]!);
			return 1;
		}

		if (subjects.has(word)) {
			this.#release();
			this.#say(this.#table.words.get(word)!);
			this.#isAfterSubject = true;
			this.#isAfterDeterminer = word === 'ce';
			return 1;
		}

		return null;
	}

	#readWord(at: number, {text, word, isName}: Pick<Token, 'text' | 'word' | 'isName'>): number {
		const {words, verbs} = this.#table;
		const verb = verbs.get(word);
		const other = this.#negatedNobody(at) ?? words.get(word);
		const isVerb = verb !== undefined && (other === undefined || this.#isVerbHere(at, verb.isFrequent));
		if (isVerb) {
			this.#say(verb.english);
			// “je l'ai vu”: the pronoun stands behind the participle.
			if (!verbs.has(this.#word(at + 1) ?? '') || words.has(this.#word(at + 1) ?? '')) {
				this.#release();
				this.#isAfterSubject = false;
			}
		} else {
			this.#release();
			this.#say(other ?? text);
			this.#unknown += other === undefined && !isName ? word.length : 0;
			this.#isAfterSubject = this.#isAfterSubject && other === '-';
		}

		this.#isAfterDeterminer = !isVerb && determiners.has(word);
		return 1;
	}

	/** Whether a form that may be a noun or an adjective is the verb where it stands. */
	#isVerbHere(at: number, isFrequent: boolean): boolean {
		const [before, next] = [this.#word(at - 1) ?? '', this.#word(at + 1) ?? ''];
		if (this.#isAfterDeterminer) {
			return false;
		}

		const isAfterNoun = this.#table.words.has(before) && !prepositions.has(before);
		return this.#isAfterSubject || (isFrequent && !prepositions.has(before))
			|| ((at === 0 || !this.#tokens[at - 1]!.isWord || isAfterNoun) && openers.has(next));
	}

	/** “personne” is nobody in front of “ne” and behind it, and a person elsewhere. */
	#negatedNobody(at: number): string | undefined {
		const word = this.#word(at)!;
		const near = this.#tokens.slice(Math.max(0, at - negationReach), at + 2).map(token => token.word);
		return word in nobody && !determiners.has(this.#word(at - 1) ?? '') && near.some(other => other === 'ne' || other === 'n\'')
			? nobody[word]
			: undefined;
	}
}

/** Turns a text into English words. A word that the table lacks stays as it is. */
export const glossFrench = (text: string, table: FrenchTable): Glossed => new Glosser(table, tokensOf(text, table)).run();
