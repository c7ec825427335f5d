/**
 * English forms for the verbs of one French text. “Ils ont perdu” is “they lost”, as is “ils perdaient”; “il n'a pas perdu”
 * is “he did not lose”. Reading an auxiliary plans the form of the verb after it.
 */
import type {FrenchTable, VerbForm} from './table.ts';
import {mayBeParticiple, movedByBeing, tenseOf, type Tense} from './verb-tense.ts';
import {adverbs, objects, ownPronouns, presents} from './word-classes.ts';

type Word = {readonly word: string};

/** The English form of a verb; `nothing` for an auxiliary that English lacks. */
type Form = 'past' | 'participle' | 'plain' | 'nothing';

/** English verbs that take “not” without “do”. */
const auxiliary = /^(?:am|is|are|was|were|will|would|can|could|must|should|had)\b/;

/** The near future, as in “il va partir”. */
const imminent: Readonly<Record<string, string>> = Object.fromEntries([
	...['vais', 'vas', 'va', 'allons', 'allez', 'vont'].map(form => [form, 'will']),
	...['allais', 'allait', 'allions', 'alliez', 'allaient'].map(form => [form, 'would']),
]);

/** “be” by person, in the present and in the past. */
const copula = {first: ['am', 'was'], third: ['is', 'was'], other: ['are', 'were']} as const;

/** The verb after “on”: “on est” is “we are”. */
const plural: Readonly<Record<string, string>> = {is: 'are', was: 'were', has: 'have'};

const third = new Set(['il', 'elle', 'ça', 'cela', 'ce', 'c\'', 'noun']);

export class Conjugation {
	/** The subject's pronoun, `noun` for a noun that may be the subject, or empty. */
	subject = '';
	readonly #table: FrenchTable;
	readonly #tokens: readonly Word[];
	readonly #planned = new Map<number, Form>();
	/** The English word after the verb at a place. */
	readonly #followers = new Map<number, string>();

	constructor(table: FrenchTable, tokens: readonly Word[]) {
		this.#table = table;
		this.#tokens = tokens;
	}

	isPlanned(at: number): boolean {
		return this.#planned.has(at);
	}

	/** Records a word that is not a verb, which may be the subject. */
	noun(word: string): void {
		if (this.subject === '' || this.subject === 'noun') {
			this.subject = /[sx]$/.test(word) ? '' : 'noun';
		}
	}

	/** The English of the verb at a place; `-` for nothing. */
	of(at: number, verb: VerbForm, isAfterSubject: boolean): string {
		this.#planParticiple(at, verb);
		const said = this.#imminent(at, verb) ?? this.#inForm(at, verb) ?? this.#inReading(at, verb, isAfterSubject);
		const follower = this.#followers.get(at);
		return follower ? `${said} ${follower}` : said;
	}

	/** The English of a phrase that begins with the verb at a place. */
	ofPhrase(at: number, english: string): string {
		const verb = this.#verbAt(at)!;
		const form = this.#planned.get(at);
		return form === 'plain' ? english : this.#inTense(english, this.#tenseOf(at, verb), form === 'past');
	}

	/** Plans the verb after “ne”. @returns the words before it; `-` if “not” follows it */
	negate(from: number, negator: string): string {
		const at = this.#skipPronouns(from);
		const verb = this.#verbAt(at);
		const tense = verb && this.#tenseOf(at, verb);
		if (!verb || tense === 'infinitive') {
			return negator;
		}

		const participle = this.#participleAfter(at, verb);
		if (participle !== null && presents.has(this.#word(at)) && !this.#isPassive(at, verb, participle)) {
			this.#planned.set(at, 'nothing');
			this.#planned.set(participle, 'plain');
			return `did ${negator}`;
		}

		const isAuxiliary = auxiliary.test(verb.english) && (verb.infinitive !== 'avoir' || participle !== null);
		if (isAuxiliary || this.#imminent(at, verb) !== null) {
			this.#followers.set(at, negator);
			return '-';
		}

		this.#planned.set(at, 'plain');
		const helper = {past: 'did', future: 'will', conditional: 'would'}[tense as string] ?? (third.has(this.subject) ? 'does' : 'do');
		return `${helper} ${negator}`;
	}

	/** Whether the next verb, after any pronouns, is an infinitive. */
	isInfinitive(from: number): boolean {
		const at = this.#skipPronouns(from);
		return this.#verbAt(at)?.infinitive === this.#word(at);
	}

	#skipPronouns(from: number): number {
		let at = from;
		while (this.#word(at) in objects || ownPronouns.has(this.#word(at))) {
			at++;
		}

		return at;
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

	/** “will” for “il va partir”; null if the verb does not form the near future. */
	#imminent(at: number, {infinitive}: VerbForm): string | null {
		return infinitive === 'aller' && this.isInfinitive(at + 1) ? imminent[this.#word(at)] ?? null : null;
	}

	/** The verb in its planned form; null if none was planned. */
	#inForm(at: number, verb: VerbForm): string | null {
		const base = this.#baseOf(verb);
		switch (this.#planned.get(at)) {
			case 'past': return base === 'be' ? this.#be(true) : this.#table.inflections.past(base);
			case 'participle': return verb.isFrequent ? verb.english : this.#table.inflections.participle(base);
			case 'plain': return base;
			case 'nothing': return '-';
			default: return null;
		}
	}

	/** For a frequent form, the English shows the tense. */
	#tenseOf(at: number, verb: VerbForm): Tense {
		if (!verb.isFrequent) {
			return tenseOf(this.#word(at), verb.infinitive);
		}

		const {english} = verb;
		return english.startsWith('will ') ? 'future' : english.startsWith('would ') ? 'conditional'
			: english === 'were' || english === this.#table.inflections.past(this.#baseOf(verb)) ? 'past' : 'present';
	}

	#inReading(at: number, verb: VerbForm, isAfterSubject: boolean): string {
		if (verb.isFrequent) {
			return this.subject === 'on' ? plural[verb.english] ?? verb.english : verb.english;
		}

		const word = this.#word(at);
		const isFirst = !/^\p{L}/u.test(this.#word(at - 1));
		if (!isAfterSubject && !isFirst && mayBeParticiple(word, verb.infinitive)) {
			return this.#table.inflections.participle(verb.english);
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
			return this.#table.inflections.past(english);
		}

		switch (tense) {
			case 'future': return `will ${english}`;
			case 'conditional': return `would ${english}`;
			case 'gerund': return this.#table.inflections.gerund(english);
			case 'present': return third.has(this.subject) ? this.#table.inflections.third(english) : english;
			default: return english;
		}
	}

	#be(isPast: boolean): string {
		const person = third.has(this.subject) ? 'third' : this.subject.startsWith('j') ? 'first' : 'other';
		return copula[person][Number(isPast) as 0 | 1];
	}

	/** The place of the participle of the auxiliary at a place; null if there is none. */
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

	/** An auxiliary determines the form of its participle; in the present tense it has no English word itself. */
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
