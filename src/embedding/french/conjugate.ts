/**
 * English forms for the verbs of one French text. “Ils ont perdu” is “they lost”, as is “ils perdaient”; “il n'a pas perdu”
 * is “he did not lose”: what an auxiliary says of the verb behind it is planned when the auxiliary is read.
 */
import {createInflections, type Inflections} from './inflect.ts';
import type {FrenchTable, VerbForm} from './table.ts';
import {mayBeParticiple, movedByBeing, tenseOf, type Tense} from './verb-tense.ts';
import {adverbs, objects, ownPronouns, presents} from './word-classes.ts';

type Word = {readonly word: string};

/** How a verb is said; `nothing` for an auxiliary that English lacks. */
type Form = 'past' | 'participle' | 'plain' | 'nothing';

/** In front of a verb. */
const isPronoun = (word: string): boolean => word in objects || word === 'se' || word === 's\'';

/** English verbs behind which “not” stands without “do”. */
const auxiliary = /^(?:am|is|are|was|were|will|would|can|could|must|should|had)\b/;

/** “il va partir” */
const imminent: Readonly<Record<string, string>> = Object.fromEntries([
	...['vais', 'vas', 'va', 'allons', 'allez', 'vont'].map(form => [form, 'will']),
	...['allais', 'allait', 'allions', 'alliez', 'allaient'].map(form => [form, 'would']),
]);

/** “on est”: we are. */
const plural: Readonly<Record<string, string>> = {is: 'are', was: 'were', has: 'have'};

const third = new Set(['il', 'elle', 'ça', 'cela', 'ce', 'c\'', 'noun']);

export class Conjugation {
	readonly inflections: Inflections;
	/** The pronoun that is the subject, `noun` for a noun that may be, and empty where there is none. */
	subject = '';
	readonly #table: FrenchTable;
	readonly #tokens: readonly Word[];
	readonly #planned = new Map<number, Form>();
	/** What is said behind the verb at a place. */
	readonly #behind = new Map<number, string>();

	constructor(table: FrenchTable, tokens: readonly Word[]) {
		this.#table = table;
		this.#tokens = tokens;
		this.inflections = createInflections(table.irregular);
	}

	isPlanned(at: number): boolean {
		return this.#planned.has(at);
	}

	/** A word that is no verb was read, which may be the subject. */
	noun(word: string): void {
		if (this.subject === '' || this.subject === 'noun') {
			this.subject = /[sx]$/.test(word) ? '' : 'noun';
		}
	}

	/** The English of the verb at a place; `-` for nothing. */
	of(at: number, verb: VerbForm, isAfterSubject: boolean): string {
		this.#planParticiple(at, verb);
		if (verb.infinitive === 'aller' && this.isInfinitive(at + 1)) {
			const said = imminent[this.#word(at)] ?? this.#inReading(at, verb, isAfterSubject);
			return [said, ...[this.#behind.get(at) ?? []].flat()].join(' ');
		}

		const base = this.#baseOf(verb);
		const form = this.#planned.get(at);
		const said = form === undefined ? this.#inReading(at, verb, isAfterSubject) : {
			past: () => base === 'be' ? this.#be(true) : this.inflections.past(base),
			participle: () => verb.isFrequent ? verb.english : this.inflections.participle(base),
			plain: () => base,
			nothing: () => '-',
		}[form]();
		const behind = this.#behind.get(at);
		return behind ? `${said} ${behind}` : said;
	}

	/** The English of a phrase that begins with the verb at a place. */
	ofPhrase(at: number, english: string): string {
		const verb = this.#verbAt(at)!;
		const form = this.#planned.get(at);
		return form === 'plain' ? english : this.#inTense(english, this.#tenseOf(at, verb), form === 'past');
	}

	/** Plans the verb behind “ne”. @returns what is said in front of it; `-` where “not” stands behind it */
	negate(from: number, negator: string): string {
		let at = from;
		while (isPronoun(this.#word(at))) {
			at++;
		}

		const verb = this.#verbAt(at);
		const tense = verb && this.#tenseOf(at, verb);
		if (!verb || tense === 'infinitive') {
			return negator;
		}

		if (verb.infinitive === 'aller' && this.isInfinitive(at + 1)) {
			this.#behind.set(at, negator);
			return '-';
		}

		const participle = this.#participleAfter(at, verb);
		if (participle !== null && presents.has(this.#word(at)) && !this.#isPassive(at, verb, participle)) {
			this.#planned.set(at, 'nothing');
			this.#planned.set(participle, 'plain');
			return `did ${negator}`;
		}

		if (auxiliary.test(verb.english) && (verb.infinitive !== 'avoir' || participle !== null)) {
			this.#behind.set(at, negator);
			return '-';
		}

		this.#planned.set(at, 'plain');
		const helper = {past: 'did', future: 'will', conditional: 'would'}[tense as string] ?? (third.has(this.subject) ? 'does' : 'do');
		return `${helper} ${negator}`;
	}

	/** Whether the next verb, behind pronouns, is an infinitive. */
	isInfinitive(from: number): boolean {
		let at = from;
		while (isPronoun(this.#word(at))) {
			at++;
		}

		return this.#verbAt(at)?.infinitive === this.#word(at);
	}

	#word(at: number): string {
		return this.#tokens[at]?.word ?? '';
	}

	#verbAt(at: number): VerbForm | undefined {
		return this.#table.verbs.get(this.#word(at));
	}

	#baseOf({infinitive, english}: VerbForm): string {
		return this.#table.verbs.get(infinitive)?.english ?? english;
	}

	/** A form with a row of its own says its tense in English. */
	#tenseOf(at: number, verb: VerbForm): Tense {
		if (!verb.isFrequent) {
			return tenseOf(this.#word(at), verb.infinitive);
		}

		const {english} = verb;
		return english.startsWith('will ') ? 'future' : english.startsWith('would ') ? 'conditional'
			: english === 'were' || english === this.inflections.past(this.#baseOf(verb)) ? 'past' : 'present';
	}

	#inReading(at: number, verb: VerbForm, isAfterSubject: boolean): string {
		if (verb.isFrequent) {
			return this.subject === 'on' ? plural[verb.english] ?? verb.english : verb.english;
		}

		const word = this.#word(at);
		const isFirst = !/^\p{L}/u.test(this.#word(at - 1));
		if (!isAfterSubject && !isFirst && mayBeParticiple(word, verb.infinitive)) {
			return this.inflections.participle(verb.english);
		}

		return this.#inTense(verb.english, tenseOf(word, verb.infinitive), false);
	}

	#inTense(english: string, tense: Tense, isPast: boolean): string {
		const isOfBe = english === 'be' || english.startsWith('be ');
		const isSaidPast = isPast || tense === 'past';
		if (isOfBe && (isSaidPast || tense === 'present')) {
			return this.#be(isSaidPast) + english.slice(2);
		}

		if (isSaidPast) {
			return this.inflections.past(english);
		}

		switch (tense) {
			case 'future': {
				return `will ${english}`;
			}

			case 'conditional': {
				return `would ${english}`;
			}

			case 'gerund': {
				return this.inflections.gerund(english);
			}

			case 'present': {
				return third.has(this.subject) ? this.inflections.third(english) : english;
			}

			default: {
				return english;
			}
		}
	}

	#be(isPast: boolean): string {
		const isOne = third.has(this.subject);
		return isPast ? isOne || this.subject.startsWith('j') ? 'was' : 'were' : isOne ? 'is' : this.subject.startsWith('j') ? 'am' : 'are';
	}

	/** The participle that the auxiliary at a place has; null where it is none. */
	#participleAfter(at: number, {infinitive}: VerbForm): number | null {
		if (infinitive !== 'avoir' && infinitive !== 'être') {
			return null;
		}

		let there = at + 1;
		while (adverbs.has(this.#word(there)) && there <= at + 3) {
			there++;
		}

		const verb = this.#verbAt(there);
		const isOther = infinitive === 'être' && !movedByBeing.has(verb?.infinitive ?? '') && this.#table.words.has(this.#word(there));
		return verb && !isOther && mayBeParticiple(this.#word(there), verb.infinitive) ? there : null;
	}

	#isPassive(at: number, {infinitive}: VerbForm, participle: number): boolean {
		return infinitive === 'être' && !ownPronouns.has(this.#word(at - 1)) && !movedByBeing.has(this.#verbAt(participle)!.infinitive);
	}

	/** An auxiliary says how its participle is said, and in the present nothing itself. */
	#planParticiple(at: number, verb: VerbForm): void {
		const participle = this.#participleAfter(at, verb);
		if (participle === null || this.#planned.has(participle)) {
			return;
		}

		const isSimple = presents.has(this.#word(at)) && !this.#planned.has(at) && !this.#isPassive(at, verb, participle);
		this.#planned.set(participle, isSimple ? 'past' : 'participle');
		if (isSimple) {
			this.#planned.set(at, 'nothing');
		}
	}
}
