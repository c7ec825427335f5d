/**
 * Sorts a history between files and an identity: files come in any order, but texts are heard in order of time. They are staged
 * in a SQLite file, so a history may be larger than the memory.
 */
import {createHash} from 'node:crypto';
import {rmSync, statSync} from 'node:fs';
import type {DatabaseSync} from 'node:sqlite';
import {ConfigurationError, orUndoNow, reasonOf, StoreError, withErrors} from '../../platform/errors.ts';
import {ownSource} from '../../instruments/source-of.ts';
import {classifyFailure} from '../../platform/sqlite/failure.ts';
import {openToWrite, preparing, type Prepare} from '../../platform/sqlite/open-database.ts';
import {formats} from './formats.ts';
import {findFiles} from './find-files.ts';
import type {PastFile, PastText} from './past-text.ts';

/** A text with its time. Its id is a hash of its fields, so that a text that was imported already is recognised. */
export type StagedText = Omit<PastText, 'saidAt' | 'uuid'> & {readonly id: string; readonly saidAt: number};

/** An entry or a file that could not be read: where, and why. */
export type Unreadable = {readonly file: string; readonly line: number | null; readonly reason: string};

export type HistoryFindings = {
	/** By the format's name: how many files, and how many texts they gave. */
	readonly formats: ReadonlyMap<string, {readonly files: number; readonly texts: number}>;
	readonly texts: number;
	readonly own: number;
	readonly sources: number;
	readonly conversations: number;
	/** The times of the first and the last text; null without texts. */
	readonly from: number | null;
	readonly to: number | null;
	/** How many texts got the modification time of their file, because they have none. */
	readonly undated: number;
	/** How many were in more than one file. */
	readonly repeated: number;
	readonly unreadable: {readonly count: number; readonly named: readonly Unreadable[]};
};

const maxNamed = 10;

/** How far a log's times may be ahead, because of its clock or time zone. */
const maxAheadMs = 86_400_000;

const pageSize = 500;

/** How many texts are written in one transaction. */
const batchSize = 5000;

const schema = `
	create table texts (
		place integer primary key, id text not null unique, file integer not null, said integer not null,
		source text not null, conversation text, content text not null, copies integer not null default 1
	);
`;

/** Detects zip and gzip by their first bytes, decoded as text. */
const isArchive = ({head}: PastFile): boolean => head.startsWith('PK\u0003\u0004') || head.startsWith('\u001F\uFFFD');

export class StagedHistory {
	readonly #file: string;
	readonly #database: DatabaseSync;
	readonly #prepare: Prepare;
	readonly #formats = new Map<string, {files: number; texts: number}>();
	readonly #unreadable: {count: number; named: Unreadable[]} = {count: 0, named: []};
	readonly #ownNames: ReadonlySet<string>;
	#undated = 0;
	#repeated = 0;
	/** From the first file that has one; null if none has. */
	persona: string | null = null;

	/** @param file Used exclusively; an old one is deleted. @param ownNames Names of the agent among the sources, besides `self`. */
	constructor(file: string, ownNames: readonly string[] = []) {
		this.#file = file;
		this.#ownNames = new Set(ownNames);
		rmSync(file, {force: true});
		this.#database = this.#write(() => {
			const database = openToWrite(file, {pragmas: 'pragma journal_mode = off; pragma synchronous = off;'});
			orUndoNow(() => database.exec(schema), () => {
				database.close();
				rmSync(file);
			});
			return database;
		});
		this.#prepare = preparing(this.#database);
	}

	/** @throws {StoreError} if the disk or the file system refuses */
	#write<Result>(work: () => Result): Result {
		return withErrors(work, error => classifyFailure(error) === null ? error : new StoreError(
			`${this.#file}, the temporary file for the texts, cannot be written (${reasonOf(error)}). Free space on the disk, or name `
				+ 'another folder with --data-dir.', {cause: error},
		));
	}

	/**
	 * Reads all files.
	 *
	 * @param onText Called with the number of texts so far.
	 * @throws {ConfigurationError} for a path that cannot be read
	 */
	async read(paths: readonly string[], onText: (texts: number) => void): Promise<void> {
		let [number, texts] = [0, 0];
		this.#write(() => this.#database.exec('begin'));
		for await (const file of findFiles(paths)) {
			number++;
			for await (const isNew of this.#readFile(file, number)) {
				texts += Number(isNew);
				if (isNew && texts % batchSize === 0) {
					this.#write(() => this.#database.exec('commit; begin'));
					onText(texts);
				}
			}
		}

		this.#write(() => this.#database.exec('commit; create index by_time on texts (said, place)'));
	}

	/** Yields for each text whether it is new. */
	async * #readFile(file: PastFile, number: number): AsyncGenerator<boolean> {
		// An archive may contain an uncompressed file, and so look like a format.
		const format = isArchive(file) ? undefined : formats.find(({detect}) => detect(file));
		if (!format) {
			const reason = isArchive(file) ? 'it is an archive: unpack it first' : 'its format is unknown';
			this.#note({file: file.path, line: null, reason});
			return;
		}

		const counts = this.#formats.get(format.name) ?? {files: 0, texts: 0};
		this.#formats.set(format.name, counts);
		counts.files++;
		const modified = Math.round(statSync(file.path).mtimeMs);
		try {
			for await (const found of format.read(file)) {
				if ('reason' in found) {
					this.#note({file: file.path, ...found});
				} else if ('persona' in found) {
					this.persona ??= found.persona;
				} else if (found.saidAt !== null && found.saidAt > Date.now() + maxAheadMs) {
					// An identity hears only texts that are later than its last: after this one, it would ignore every log.
					this.#note({file: file.path, line: null, reason: `a text has a time in the future, ${new Date(found.saidAt).toISOString()}`});
				} else {
					const isNew = this.#add(found, number, modified);
					counts.texts += Number(isNew);
					yield isNew;
				}
			}
		} catch (error) {
			if (!(error instanceof ConfigurationError)) {
				throw error;
			}

			this.#note({file: file.path, line: null, reason: error.message});
		}
	}

	#note(unreadable: Unreadable): void {
		this.#unreadable.count++;
		if (this.#unreadable.named.length < maxNamed) {
			this.#unreadable.named.push(unreadable);
		}
	}

	/** Adds a text, unless another file has it. A text that is twice in one file was said twice. */
	#add({content, source: named, conversation, saidAt, uuid}: PastText, file: number, modified: number): boolean {
		const source = this.#ownNames.has(named) ? ownSource : named;
		const text = JSON.stringify([source, uuid ?? conversation, saidAt, content]);
		/** @returns how often the file has this text so far; undefined if another file has it */
		const insert = (times: number): number | undefined => this.#write(() => this.#prepare(`
			insert into texts (id, file, said, source, conversation, content) values (?, ?, ?, ?, ?, ?)
			on conflict (id) do update set copies = copies + 1 where file = excluded.file returning copies
		`).get(
			`import-${createHash('sha256').update(`${times} ${text}`).digest('hex').slice(0, 32)}`,
			file, saidAt ?? modified, source, conversation, content,
		))?.['copies'] as number | undefined;
		const copies = insert(0);
		if (copies === undefined) {
			this.#repeated++;
			return false;
		}

		if (copies > 1) {
			insert(copies - 1);
		}

		this.#undated += Number(saidAt === null);
		return true;
	}

	findings(): HistoryFindings {
		const counts = this.#database.prepare(`select count(*) as texts, coalesce(sum(source = '${ownSource}'), 0) as own,
			count(distinct source) as sources, count(distinct conversation) as conversations, min(said) as "from", max(said) as "to" from texts`)
			.get() as Pick<HistoryFindings, 'texts' | 'own' | 'sources' | 'conversations' | 'from' | 'to'>;
		return {...counts, formats: this.#formats, undated: this.#undated, repeated: this.#repeated, unreadable: this.#unreadable};
	}

	/** How many texts were said before a time. */
	before(time: number): number {
		return this.#database.prepare('select count(*) as texts from texts where said < ?').get(time)!['texts'] as number;
	}

	/** The texts from a time on, in order of time; those of the same time in the order of their files. */
	* texts(from: number): Generator<StagedText> {
		const page = this.#database.prepare(`select place, id, content, source, conversation, said as saidAt from texts
			where (said, place) > (?, ?) order by said, place limit ${pageSize}`);
		let [time, place] = [from, -1];
		for (;;) {
			const rows = page.all(time, place) as unknown as Array<StagedText & {place: number}>;
			yield * rows;
			const last = rows.at(-1);
			if (!last) {
				return;
			}

			[time, place] = [last.saidAt, last.place];
		}
	}

	/** Removes the staged texts. */
	close(): void {
		this.#database.close();
		rmSync(this.#file, {force: true});
	}
}
