/**
 * Bringing data in: every entry that can be used lands, in one transaction for the store and one
 * for the messages; every other is told with its line and its reason.
 */
import type {Encoder} from '../../embedding/encoder.ts';
import {ConfigurationError, EmbeddingError, reasonOf} from '../../errors.ts';
import {writeMessages, type Message} from '../../sources/message-file.ts';
import type {SqliteStore} from '../../store/sqlite/store.ts';
import type {StoredDirection, StoredState, StoredThought} from '../../store/store.ts';
import {draftOf, kindNames, looksLike, type Draft, type Item, type Kind} from './entry-kinds.ts';
import {readLines, type BadLine} from './entry-reader.ts';

type Options = {
	/** Only entries of this kind, or every kind. Entries may name theirs as `kind`; where they do not, they are of this one. */
	kind: Kind | 'all';
	/** See {@link readLines}. */
	file: string;
	store: SqliteStore;
	messagesFile: string;
	/** Asked for when there is a text to embed. */
	loadEncoder: () => Promise<Encoder>;
	/** After each text that was embedded. */
	onProgress?: (done: number, total: number) => void;
	signal?: AbortSignal;
};

export type Imported = {
	/** Entries that were looked at, bad ones included. */
	read: number;
	added: number;
	replaced: number;
	unchanged: number;
	/** Entries of another kind than the one that was asked for. */
	passedOver: number;
	bad: BadLine[];
};

type Numbered = Draft & {line: number};

/** How many texts are given to the encoder at a time. */
const batch = 64;

/**
 * @throws {ConfigurationError} when the file cannot be read, or begins as one of another kind.
 * @throws {StoreError} when it could not be written. The store and the messages each keep all of their part or nothing of it; bringing the same in again adds what is missing.
 * @throws {EmbeddingError} when the encoder fails in a way that may pass, and whatever `loadEncoder` throws; nothing is written.
 */
export const importFile = async ({kind, file, store, messagesFile, loadEncoder, onProgress, signal}: Options): Promise<Imported> => {
	const {drafts, bad, passedOver} = await readDrafts(file, kind);
	const read = drafts.length + bad.length;
	const items: Item[] = [];
	const total = drafts.reduce((sum, {texts}) => sum + texts.length, 0);
	const encoder = total > 0 ? await loadEncoder() : null;
	let done = 0;
	const embed = async (text: string): Promise<Float32Array> => {
		const vector = await encoder!.embed(text, signal);
		onProgress?.(++done, total);
		return vector;
	};

	for (let i = 0; i < drafts.length; i += batch) {
		signal?.throwIfAborted();
		const made = await Promise.all(drafts.slice(i, i + batch).map(async ({line, texts, make}) => {
			try {
				return make(await Promise.all(texts.map(embed)), encoder?.passport.model ?? null);
			} catch (error) {
				signal?.throwIfAborted();
				if (!isOfTheText(error)) {
					throw error;
				}

				bad.push({line, reason: reasonOf(error)});
				return null;
			}
		}));
		items.push(...made.filter(item => item !== null));
	}

	signal?.throwIfAborted();
	const landed = await write(items, store, messagesFile);
	return {read, ...landed, passedOver, bad: bad.toSorted((a, b) => a.line - b.line)};
};

/** A text that a model cannot embed, or examples that make no direction. */
const isOfTheText = (error: unknown): boolean => (error instanceof EmbeddingError && !error.retryable) || error instanceof RangeError;

const readDrafts = async (file: string, kind: Kind | 'all'): Promise<{drafts: Numbered[]; bad: BadLine[]; passedOver: number}> => {
	const drafts: Numbered[] = [];
	const bad: BadLine[] = [];
	let passedOver = 0;
	for await (const entry of readLines(file)) {
		if ('reason' in entry) {
			bad.push(entry);
			continue;
		}

		const {line, value} = entry;
		try {
			const own = kindOf(value, kind);
			const other = hasKind(value) ? null : looksLike(own, value);
			if (other && drafts.length === 0) {
				throw new ConfigurationError(`${file} is not what it is imported as: line ${line} has ${other.fields.join(', ')}, like a ${other.kind}. Import it as ${nameOf(other.kind)}; or, if it holds ${nameOf(own)}, give each entry “kind”: “${own}”. Nothing is imported.`);
			} else if (other) {
				throw new TypeError(`it has ${other.fields.join(', ')}, like a ${other.kind}`);
			}

			if (kind === 'all' || own === kind) {
				drafts.push({line, ...draftOf(own, value)});
			} else {
				passedOver++;
			}
		} catch (error) {
			if (!(error instanceof TypeError)) {
				throw error;
			}

			bad.push({line, reason: error.message});
		}
	}

	return {drafts, bad, passedOver};
};

/** The plural that the command knows a kind by. */
const nameOf = (kind: Kind): string => kind === 'state' ? kind : `${kind}s`;

const hasKind = (value: unknown): boolean => (value as {kind?: unknown} | null)?.kind !== undefined;

const kindOf = (value: unknown, kind: Kind | 'all'): Kind => {
	const named = (value as {kind?: unknown} | null)?.kind ?? kind;
	const known = kindNames.find(name => name === named);
	if (!known) {
		throw new TypeError(named === 'all' ? 'it does not name its “kind”' : `its “kind” is none of ${kindNames.join(', ')}`);
	}

	return known;
};

const write = async (items: readonly Item[], store: SqliteStore, messagesFile: string): Promise<Pick<Imported, 'added' | 'replaced' | 'unchanged'>> => {
	const of = <Wanted>(kind: Kind): Wanted[] => items.filter(made => made.kind === kind).map(({item}) => item as Wanted);
	const stored = {states: of<StoredState>('state'), thoughts: of<StoredThought>('thought'), directions: of<StoredDirection>('direction')};
	const messages = of<Message>('message');
	const none = {added: 0, replaced: 0, unchanged: 0};
	const inStore = messages.length < items.length ? await store.write(stored) : none;
	const inMessages = messages.length > 0 ? await writeMessages(messagesFile, messages) : none;
	return {
		added: inStore.added + inMessages.added,
		replaced: inStore.replaced,
		unchanged: inStore.unchanged + inMessages.unchanged,
	};
};
