/**
 * Turns French into English word by word, so that an English model can read it. That is not a translation: adjectives come
 * after their nouns. This rarely loses the meaning of a sentence, except with negations, pronouns, tenses and plurals.
 * Hence these rules, besides the table:
 *
 * - In “ne … pas, plus, jamais, guère, que” the second part moves to the place of the first: “je ne crois plus” is
 *   “I no longer believe”, and “je ne crois pas” is “I do not believe”.
 * - Verbs are conjugated (`conjugate.ts`), and after “les”, “mes” or “ces” a noun is a plural.
 * - A reflexive pronoun is dropped: “je me lave” is “I wash”. Other object pronouns move after the verb: “il me voit” is
 *   “he sees me”.
 * - A form that is both a noun and a verb is the verb after a subject, and the noun elsewhere.
 * - The longest phrase of the table wins, with its verb in any form: “j'ai besoin de” is “I need”.
 */
import {Conjugation} from './conjugate.ts';
import type {FrenchTable} from './table.ts';
import {tokensOf, type Token} from './tokens.ts';
import {
	adjectivesBefore, comparatives, determiners, negationReach, negators, negatorsInPlace, objects, openers, ownEndings, pluralDeterminers,
	prepositions, reflexives, subjects, toInfinitive,
} from './word-classes.ts';

/** The English of a text, and how much of it the table lacks. */
export type Glossed = {
	readonly english: string;
	/** The share of letters in words that the table lacks, 0 to 1. Names and numbers count as known. */
	readonly unknownShare: number;
};

/** One pass over a text. */
class Glosser {
	readonly #table: FrenchTable;
	readonly #tokens: readonly Token[];
	readonly #english: string[] = [];
	/** Places of words that were said already, such as the second parts of negations. */
	readonly #said = new Set<number>();
	/** Pronouns that wait for their verb. */
	#waiting: string[] = [];
	#isAfterSubject = false;
	#isAfterDeterminer = false;
	#isPlural = false;
	readonly #conjugation: Conjugation;
	#letters = 0;
	#unknown = 0;

	constructor(table: FrenchTable, tokens: readonly Token[]) {
		this.#table = table;
		this.#tokens = tokens;
		this.#conjugation = new Conjugation(table, tokens);
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

	/** Says the waiting pronouns, after their verb. */
	#release(): void {
		this.#waiting.forEach(pronoun => this.#say(pronoun));
		this.#waiting = [];
	}

	/** @returns the number of words read */
	#read(at: number): number {
		const {text, word, isWord, isName} = this.#tokens[at]!;
		if (this.#said.has(at)) {
			return 1;
		}

		if (!isWord) {
			this.#release();
			this.#isAfterSubject = this.#isPlural = false;
			this.#conjugation.subject = '';
			this.#say(text);
			return 1;
		}

		this.#letters += word.length;
		if (word === 'ne' || word === 'n\'') {
			return this.#negate(at);
		}

		const isTo = toInfinitive.has(word) && this.#conjugation.isInfinitive(at + 1) && !this.#table.words.has(this.#word(at + 1)!);
		const isThan = (word === 'que' || word === 'qu\'') && [at - 1, at - 2].some(place => comparatives.test(this.#word(place) ?? ''));
		if (isTo || isThan) {
			this.#release();
			this.#say(isTo ? 'to' : 'than');
			return 1;
		}

		// “pas de pain” is “no bread”: the “de” is dropped.
		if ((word === 'de' || word === 'd\'') && this.#said.has(at - 1)) {
			return 1;
		}

		const phrase = this.#phraseAt(at);
		if (phrase) {
			if (phrase.isOfVerb) {
				this.#say(this.#conjugation.ofPhrase(at, phrase.english));
				this.#release();
			} else {
				this.#release();
				this.#say(phrase.english);
				if (/(?:body|thing)$/.test(phrase.english)) {
					this.#conjugation.subject = 'noun';
				}
			}

			this.#isAfterSubject = this.#isAfterDeterminer = this.#isPlural = false;
			return phrase.length;
		}

		return this.#readPronoun(at) ?? this.#readWord(at, {text, word, isName});
	}

	/** “ne” itself has no English word; the second part is said in its place. */
	#negate(at: number): number {
		for (let there = at + 1; there <= at + negationReach && this.#tokens[there]?.isWord; there++) {
			const word = this.#word(there)!;
			const english = negators[word];
			if (english) {
				const isNotYet = english === 'not' && this.#word(there + 1) === 'encore';
				const negator = isNotYet ? 'not yet' : english;
				this.#said.add(there);
				this.#say(english === 'not' ? this.#conjugation.negate(at + 1, negator) : negator);
				if (isNotYet) {
					this.#said.add(there + 1);
				}

				break;
			}

			if (word === 'rien' || word === 'aucun' || word === 'aucune' || word in negatorsInPlace) {
				break;
			}
		}

		this.#isAfterSubject = true;
		return 1;
	}

	/** The longest phrase that begins here. It may contain the second part of a negation. */
	#phraseAt(at: number): {english: string; length: number; isOfVerb: boolean} | null {
		const {phrases, verbs, longest} = this.#table;
		const word = this.#word(at)!;
		const infinitive = `${verbs.get(word)?.infinitive}~`;
		const ofItself = this.#isOfItself(at) ? [`se-${infinitive}`] : [];
		for (const first of [...ofItself, word, infinitive]) {
			for (let length = Math.min((longest.get(first) ?? 0) + 1, this.#tokens.length - at); length > 0; length--) {
				const others = this.#tokens.slice(at + 1, at + length)
					.filter((_, index) => !this.#said.has(at + 1 + index)).map(token => token.word);
				const english = phrases.get([first, ...others].join(' '));
				if (english) {
					return {english, length, isOfVerb: first !== word};
				}
			}
		}

		return null;
	}

	/** Whether a pronoun refers to the subject. */
	#isReflexive(at: number): boolean {
		const word = this.#word(at) ?? '';
		const before = this.#word(at - 1) ?? '';
		const owner = before === 'ne' || before === 'n\'' ? this.#word(at - 2) ?? '' : before;
		return word === 'se' || word === 's\'' || reflexives[owner]?.includes(word) === true;
	}

	/** Whether a verb has a reflexive pronoun, perhaps before its auxiliary. */
	#isOfItself(at: number): boolean {
		const isAfterBe = this.#table.verbs.get(this.#word(at - 1) ?? '')?.infinitive === 'être';
		return this.#isReflexive(isAfterBe ? at - 2 : at - 1);
	}

	#readPronoun(at: number): number | null {
		const word = this.#word(at)!;
		if (this.#isReflexive(at) && this.#table.verbs.has(this.#word(at + 1) ?? '')) {
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
			this.#conjugation.subject = word;
			this.#isAfterDeterminer = word === 'ce';
			return 1;
		}

		return null;
	}

	#readWord(at: number, {text, word, isName}: Pick<Token, 'text' | 'word' | 'isName'>): number {
		const {words, verbs} = this.#table;
		const verb = verbs.get(word);
		const other = this.#negatedNobody(at) ?? words.get(word);
		const isVerb = verb !== undefined
			&& (other === undefined || this.#conjugation.isPlanned(at) || this.#isVerbHere(at, verb.isFrequent));
		if (isVerb) {
			this.#say(this.#conjugation.of(at, verb, this.#isAfterSubject));
			// “je l'ai vu”: the pronoun comes after the participle.
			if (!verbs.has(this.#word(at + 1) ?? '') || words.has(this.#word(at + 1) ?? '')) {
				this.#release();
				this.#isAfterSubject = false;
			}
		} else {
			this.#release();
			const isNoun = this.#isPlural && other !== undefined && !adjectivesBefore.test(word) && !determiners.has(word);
			this.#say(isNoun ? this.#table.inflections.plural(other) : other ?? text);
			this.#isPlural = pluralDeterminers.has(word) || (this.#isPlural && !isNoun && other !== undefined);
			this.#conjugation.noun(word);
			this.#unknown += other === undefined && !isName ? word.length : 0;
			this.#isAfterSubject = this.#isAfterSubject && other === '-';
		}

		this.#isAfterDeterminer = !isVerb && determiners.has(word);
		return 1;
	}

	/** Whether a form that may be a noun or an adjective is a verb here. */
	#isVerbHere(at: number, isFrequent: boolean): boolean {
		const [before, word, next] = [this.#word(at - 1) ?? '', this.#word(at)!, this.#word(at + 1) ?? ''];
		if (this.#isAfterDeterminer) {
			return false;
		}

		if (word.endsWith('ant') && before !== 'en') {
			return false;
		}

		const isAfterNoun = this.#table.words.has(before) && !prepositions.has(before);
		return this.#isAfterSubject || (isFrequent && !prepositions.has(before))
			|| ((at === 0 || !this.#tokens[at - 1]!.isWord || isAfterNoun) && openers.has(next));
	}

	/** The negative sense of “personne”, which it has before or after “ne”. */
	#negatedNobody(at: number): string | undefined {
		const word = this.#word(at)!;
		const near = this.#tokens.slice(Math.max(0, at - negationReach), at + 2).map(token => token.word);
		return word in negatorsInPlace && !determiners.has(this.#word(at - 1) ?? '') && near.some(other => other === 'ne' || other === 'n\'')
			? negatorsInPlace[word]
			: undefined;
	}
}

/** Turns a text into English words. A word that the table lacks stays as it is. */
export const glossFrench = (text: string, table: FrenchTable): Glossed => new Glosser(table, tokensOf(text, table)).run();
