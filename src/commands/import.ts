/** `processual import`: prints each rejected line and the counts. Exit code 1 if every entry is rejected. */
import {existsSync} from 'node:fs';
import type {Encoder, LoadedEncoder} from '../embedding/encoder.ts';
import {createProgressBar, loadModel} from './progress.ts';
import {readJournalOf} from './open-journal.ts';
import {openWritableStores} from './open-sources.ts';
import {toJournalFolder} from './options.ts';
import type {Settings} from './settings.ts';
import {findOtherKind, kindNames, toDraft, type Draft, type Item, type Kind} from './transfer/entry-kinds.ts';
import {ConfigurationError, EmbeddingError, reasonOf} from '../platform/errors.ts';
import {countInEnglish} from '../platform/phrase.ts';
import {requireModelOf} from '../sources/initial-state.ts';
import type {Messages} from '../sources/recent-words.ts';
import type {WritableStore} from '../sources/store/store.ts';
import {leftOut, translateEntry} from './transfer/agent-exports.ts';
import {readEntries, type RejectedEntry} from './transfer/entry-reader.ts';

/** @param kind As on the command line, where kinds are plural; or `all`. */
export const importEntries = async (settings: Settings, kind: string, file: string): Promise<void> => {
	await using stores = await openWritableStores(settings);
	using bar = createProgressBar('texts');
	let encoder: LoadedEncoder | null = null;
	try {
		const {read, added, replaced, unchanged, skipped, rejected} = await importFile({
			kind: kind.replace(/s$/, '') as Kind | 'all',
			file,
			...stores,
			model: settings.EMBEDDING_MODEL,
			loadEncoder: async () => encoder = await loadModel(settings),
			onProgress: bar.update,
		});
		bar.stop();
		for (const {line, reason} of rejected) {
			process.stderr.write(`line ${line} is rejected: ${reason}\n`);
		}

		process.stdout.write(`${countInEnglish(read, 'entry', 'entries')} read: ${added} added, ${replaced} replaced, ${unchanged} unchanged, `
			+ `${rejected.length} rejected${skipped > 0 ? `; ${skipped} of other kinds skipped` : ''}.\n`);
		if (kind !== 'messages' && await hasBegun(settings)) {
			process.stdout.write(`${settings.DATABASE_URL === undefined ? settings.DATA_DIR : 'The database'} already has an identity, `
				+ 'which keeps its own state. To begin with the imported state, stop the service and run “processual begin --again”.\n');
		}

		if (read > 0 && rejected.length === read) {
			// Never reset to 0: of several files, one that fails is enough.
			process.exitCode = 1;
		}
	} finally {
		await (encoder as LoadedEncoder | null)?.dispose();
	}
};

/** Looks only for the folder, because a service may have the journal's files open. */
const hasBegun = async (settings: Settings): Promise<boolean> =>
	settings.DATABASE_URL === undefined ? existsSync(toJournalFolder(settings)) : await readJournalOf(settings, () => true) !== null;

// Every usable entry is written, in one transaction for the store and one for the messages. Every other entry is reported with
// its line and the reason.

type Options = {
	/** Imports only entries of this kind, which is also the kind of entries without a `kind`. */
	kind: Kind | 'all';
	/** See {@link readEntries}. */
	file: string;
	store: WritableStore;
	messages: Messages;
	/** The configured embedding model: an identity cannot begin with another model's state. */
	model: string;
	/** Called once, if there is a text to embed. */
	loadEncoder: () => Promise<Encoder>;
	/** Called after each embedded text. */
	onProgress?: (done: number, total: number) => void;
};

/** Counts of entries. */
export type Imported = {
	/** Every entry except the skipped ones. */
	read: number;
	added: number;
	replaced: number;
	unchanged: number;
	/** Of another kind than the requested one, or not said by a person or an agent. */
	skipped: number;
	/** Not usable, in the order of their lines. */
	rejected: RejectedEntry[];
};

/** `at` orders exported thoughts by their time, in milliseconds; 0 keeps the order of the file. */
type NumberedDraft = Draft & {line: number; at: number};

/** The number of entries that are embedded together. */
const batchSize = 64;

/**
 * @throws {ConfigurationError} if the file cannot be read, or its first entry looks like another kind.
 * @throws {StoreError} if the newest state is of another embedding model; nothing is written. Also if a write fails: the
 * store and the messages are each written completely or not at all; importing the file again adds what is missing.
 * @throws {EmbeddingError} if the encoder fails temporarily; nothing is written. `loadEncoder`'s errors pass through.
 */
export const importFile = async ({kind, file, store, messages, model, loadEncoder, onProgress}: Options): Promise<Imported> => {
	const {drafts, rejected, skipped} = await readDrafts(file, kind);
	requireModel(drafts, model, file);
	const read = drafts.length + rejected.length;
	const items: Item[] = [];
	const total = drafts.reduce((sum, {texts}) => sum + texts.length, 0);
	const encoder = total > 0 ? await loadEncoder() : null;
	let done = 0;
	const embed = async (text: string): Promise<Float32Array> => {
		const vector = await encoder!.embed(text);
		onProgress?.(++done, total);
		return vector;
	};

	for (let i = 0; i < drafts.length; i += batchSize) {
		const made = await Promise.all(drafts.slice(i, i + batchSize).map(async ({line, texts, make}) => {
			try {
				return make(await Promise.all(texts.map(embed)), encoder?.passport.model ?? null);
			} catch (error) {
				if (!isTextFault(error)) {
					throw error;
				}

				rejected.push({line, reason: reasonOf(error)});
				return null;
			}
		}));
		items.push(...made.filter(item => item !== null));
	}

	const written = await write(items, store, messages);
	return {read, ...written, skipped, rejected: rejected.toSorted((a, b) => a.line - b.line)};
};

/** @throws {StoreError} if no identity with this model could begin with the newest state */
const requireModel = (drafts: readonly NumberedDraft[], model: string, file: string): void => {
	const made = drafts.filter(({texts}) => texts.length === 0).map(({make}) => make([], null));
	const [newest] = made.filter(item => item.kind === 'state').toSorted((a, b) => b.stateId - a.stateId);
	if (newest) {
		requireModelOf(newest, model, file);
	}
};

/** Whether the text itself is the cause: the model cannot embed it, or the examples define no direction. */
const isTextFault = (error: unknown): boolean => (error instanceof EmbeddingError && !error.retryable) || error instanceof RangeError;

const readDrafts = async (
	file: string, kind: Kind | 'all',
): Promise<{drafts: NumberedDraft[]; rejected: RejectedEntry[]; skipped: number}> => {
	const drafts: NumberedDraft[] = [];
	const rejected: RejectedEntry[] = [];
	let skipped = 0;
	for await (const entry of readEntries(file)) {
		if ('reason' in entry) {
			rejected.push(entry);
			continue;
		}

		const {line} = entry;
		try {
			const value = translateEntry(entry.value);
			if (value === leftOut) {
				skipped++;
				continue;
			}

			const own = kindOf(value, kind);
			const other = namedKind(value) === undefined ? findOtherKind(own, value) : null;
			if (other && drafts.length === 0) {
				throw new ConfigurationError(`${file} does not look like ${toPlural(own)}: `
					+ `line ${line} has ${other.fields.join(', ')}, like a ${other.kind}. Import it as ${toPlural(other.kind)}; `
					+ `or, if it holds ${toPlural(own)}, give each entry “kind”: “${own}”. Nothing is imported.`);
			} else if (other) {
				throw new TypeError(`it has ${other.fields.join(', ')}, like a ${other.kind}`);
			}

			if (kind === 'all' || own === kind) {
				drafts.push({line, at: value === entry.value ? 0 : timeOf(value), ...toDraft(own, value)});
			} else {
				skipped++;
			}
		} catch (error) {
			if (!(error instanceof TypeError)) {
				throw error;
			}

			rejected.push({line, reason: error.message});
		}
	}

	return {drafts: drafts.toSorted((a, b) => a.at - b.at), rejected, skipped};
};

const timeOf = (value: unknown): number => Date.parse((value as {created?: string}).created ?? '') || 0;

/** The name of a kind on the command line. */
const toPlural = (kind: Kind): string => kind === 'state' ? kind : `${kind}s`;

const namedKind = (value: unknown): unknown => (value as {kind?: unknown} | null)?.kind;

const kindOf = (value: unknown, kind: Kind | 'all'): Kind => {
	const name = namedKind(value) ?? kind;
	const known = kindNames.find(kindName => kindName === name);
	if (!known) {
		throw new TypeError(name === 'all' ? 'it has no “kind”' : `its “kind” must be one of ${kindNames.join(', ')}`);
	}

	return known;
};

const write = async (
	items: readonly Item[], store: WritableStore, messages: Messages,
): Promise<Pick<Imported, 'added' | 'replaced' | 'unchanged'>> => {
	const said = items.filter(item => item.kind === 'message');
	const stored = {
		states: items.filter(item => item.kind === 'state'),
		thoughts: items.filter(item => item.kind === 'thought'),
		directions: items.filter(item => item.kind === 'direction'),
	};
	const none = {added: 0, replaced: 0, unchanged: 0};
	const inStore = said.length < items.length ? await store.write(stored) : none;
	const inMessages = said.length > 0 ? await messages.write(said) : none;
	return {
		added: inStore.added + inMessages.added,
		replaced: inStore.replaced,
		unchanged: inStore.unchanged + inMessages.unchanged,
	};
};
