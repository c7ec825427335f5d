/**
 * Notices texts that the embedding model cannot read. The language of a single short text is easily mistaken, so it takes
 * more than a tenth of the last 100 texts.
 *
 * After a start, the first question reads the languages of the journal's newest texts.
 */
import {isForeign, recogniseLanguage} from '../embedding/recognise-language.ts';
import {proposeModel} from '../embedding/use-lite/identifier.ts';
import {readBackwards, type PastJournal} from '../journal/read-pages.ts';
import {joinNotes} from '../instruments/describe-ledger.ts';
import {UnreadTextsError} from '../platform/errors.ts';
import type {ProcessActor} from './pending-requests.ts';
import {nameOf} from '../platform/option-names.ts';
import {phrase} from '../platform/phrase.ts';

const maxTexts = 100;

const maxShare = 0.1;

/** A single text proves nothing. */
const minForeign = 2;

/** The language of each text by its cycle's id, oldest first; null if unknown. */
type Recognised = ReadonlyMap<string, string | null>;

/** A sentence on the texts that a model for these languages does not read; null if they are few. */
const describeUnread = (recognised: Recognised, languages: readonly string[]): string | null => {
	const foreign = [...recognised.values()].filter(language => language !== null && isForeign(language, languages)) as string[];
	if (foreign.length < minForeign || foreign.length <= maxShare * recognised.size) {
		return null;
	}

	const counts = Object.entries(Object.groupBy(foreign, language => language)).toSorted(([, a], [, b]) => b!.length - a!.length);
	const named = counts
		.slice(0, 3)
		.map(([language, texts]) => phrase`${texts!.length} in “${language}”`)
		.join(', ');
	return phrase`${foreign.length} of the last ${recognised.size} texts are in languages that the embedding model does not read (${named}; it
		reads ${languages.join(', ')}), so their effect on the state says little. Use a model that reads them, such as
		${proposeModel(counts[0]![0])} (${nameOf('encoder.model')}); docs/models.md says how to move.`;
};

/** Adds a note to an answer, after any that it has. */
export const withNote = <View extends {readonly note?: string | null}>(view: View, note: string | null): View =>
	note === null ? view : Object.freeze({...view, note: joinNotes(view.note ?? null, note)!});

/** @throws {UnreadTextsError} if there is a note on unread texts */
export const requireRead = (note: string | null): void => {
	if (note !== null) {
		throw new UnreadTextsError(`${note} To validate anyway, say so: "accept_unread": true (acceptUnread, --accept-unread).`);
	}
};

/** The languages of a journal's newest texts since the last reset, oldest first. */
const readNewest = async (journal: PastJournal, languages: readonly string[]): Promise<Recognised> => {
	const newest: Array<[string, string | null]> = [];
	for await (const {record} of readBackwards(journal)) {
		if (record.kind === 'reset' || newest.length === maxTexts) {
			break;
		}

		if (record.kind === 'cycle') {
			const {id, content, isHashed, tokenReport: {language}} = record;
			// Records of older versions do not contain the language.
			const known = language === undefined && !isHashed ? await recogniseLanguage(content, languages) : language;
			if (known !== undefined) {
				newest.push([id, known]);
			}
		}
	}

	return new Map(newest.toReversed());
};

export class UnreadTexts {
	readonly #journal: PastJournal | null;
	readonly #languages: () => readonly string[] | undefined;
	#recognised = new Map<string, string | null>();
	#reading: Promise<void> | undefined;
	#isRead = false;

	/** @param languages Gives the languages that the model reads; undefined before the boot, or if the model does not name them. */
	constructor(journal: PastJournal | null, languages: () => readonly string[] | undefined) {
		this.#journal = journal;
		this.#languages = languages;
	}

	/** Whether a note does not need to read the journal. */
	get isRead(): boolean {
		return this.#isRead || !this.#journal || !this.#languages();
	}

	/** Takes every text that the process completes from now on. */
	follow(actor: ProcessActor): void {
		actor.on('cycle.done', ({id, tokenReport: {language}}) => {
			if (language !== undefined) {
				this.#recognised.set(id, language);
				this.#forget();
			}
		});
		// A reset makes all texts irrelevant.
		actor.on('reset.done', () => {
			this.#isRead = true;
			this.#recognised = new Map();
		});
	}

	/** The note from what is known now. The first call starts to read the journal. */
	note(): string | null {
		const languages = this.#languages();
		if (!languages) {
			return null;
		}

		void this.refresh();
		return describeUnread(this.#recognised, languages);
	}

	/** The note, after the journal was read. */
	async read(): Promise<string | null> {
		await this.refresh();
		return this.note();
	}

	/** Reads the journal once. A failure is reported elsewhere, and the next call tries again. */
	async refresh(): Promise<void> {
		const languages = this.#languages();
		if (languages && this.#journal && !this.#isRead) {
			this.#reading ??= this.#read(this.#journal, languages).catch(() => {
				this.#reading = undefined;
			});
			await this.#reading;
		}
	}

	async #read(journal: PastJournal, languages: readonly string[]): Promise<void> {
		const before = this.#recognised;
		const kept = await readNewest(journal, languages);
		if (this.#recognised === before) {
			this.#isRead = true;
			this.#recognised = new Map([...kept, ...before]);
			this.#forget();
		}
	}

	#forget(): void {
		for (const oldest of [...this.#recognised.keys()].slice(0, -maxTexts)) {
			this.#recognised.delete(oldest);
		}
	}
}
