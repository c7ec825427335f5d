/** `processual export`: writes JSON Lines to standard output, or to a new file, and then prints the counts. */
import path from 'node:path';
import {pipeline} from 'node:stream/promises';
import {writeNewFile} from '../platform/files/write.ts';
import {isBrokenPipe} from './terminal.ts';
import {ConfigurationError} from '../platform/errors.ts';
import {countInEnglish} from '../platform/phrase.ts';
import {askIfBegun} from './ask-identity.ts';
import {withDraft} from './draft.ts';
import {describePlace} from './open-journal.ts';
import {openWritableStores} from './open-sources.ts';
import type {Settings} from './settings.ts';
import type {Message, Messages} from '../sources/recent-words.ts';
import type {StoredDirection, StoredState, StoredThought, WritableStore} from '../sources/store/store.ts';
import {dimensions} from '../kernel/dimensions.ts';
import type {Identity} from '../identity/identity.ts';
import type {Kind} from './transfer/entry-kinds.ts';

export const exportEntries = async (settings: Settings, file: string | undefined): Promise<void> => {
	if (settings.PROCESSUAL_URL !== undefined) {
		throw new ConfigurationError('PROCESSUAL_URL is the address of a service elsewhere, whose store cannot be exported from here. '
			+ 'Run the export where its DATA_DIR or DATABASE_URL is, without PROCESSUAL_URL.');
	}

	await using stores = await openWritableStores(settings);
	const counts = {state: 0, thought: 0, direction: 0, message: 0};
	try {
		// Asked before anything is written, because it may fail.
		const current = await askIfBegun(settings, readStoredState);
		const lines = await exportLines({...stores, current, journal: describePlace(settings), onEntry: kind => counts[kind]++});
		if (file === undefined || file === '-') {
			await pipeline(lines, process.stdout);
		} else {
			await withDraft(file, 'Name a file in a folder', async draft => writeNewFile(file, lines, path.join(draft, 'lines')));
			process.stderr.write(`${file} has ${Object.entries(counts).map(([kind, count]) => countInEnglish(count, kind)).join(', ')}.\n`);
		}
	} catch (error) {
		if (!isBrokenPipe(error)) {
			throw error;
		}
	}
};

type Options = {
	store: WritableStore;
	messages: Messages;
	/** The journal's current state; null if no journal was begun. */
	current: StoredState | null;
	/** Where the journal is, for the error if there is nothing to export. */
	journal: string;
	/** Called with the kind of each entry. */
	onEntry?: (kind: Kind) => void;
};

/**
 * One JSON object per line, each with its `kind`. The journal's state is the last of the states,
 * so that an import replaces a stored state of the same id with it.
 *
 * @throws {ConfigurationError} at once, if there is nothing to export.
 * @throws {StoreError} during iteration, if the store or the messages cannot be read.
 */
export const exportLines = async ({store, messages, current, journal, onEntry}: Options): Promise<AsyncGenerator<string>> => {
	const entries = listEntries(store, messages, current);
	const first = await entries.next();
	if (first.done) {
		throw new ConfigurationError(`There is nothing to export: ${store.place} and ${messages.place} are empty, `
			+ `and ${journal} has no journal. Set DATA_DIR to the folder of the data.`);
	}

	return (async function * () {
		for (let next: IteratorResult<Entry> = first; !next.done; next = await entries.next()) {
			onEntry?.(next.value.kind);
			yield `${JSON.stringify(next.value)}\n`;
		}
	})();
};

type Entry = {kind: Kind};

async function * listEntries(store: WritableStore, messages: Messages, current: StoredState | null): AsyncGenerator<Entry> {
	for await (const {kind, ...item} of store.everything()) {
		yield {kind, ...toEntry[kind](item as never)};
	}

	if (current) {
		yield {kind: 'state', ...toEntry.state(current)};
	}

	// Oldest first, the order of an import.
	for (const message of (await Array.fromAsync(messages.read())).toReversed()) {
		yield {kind: 'message', ...toEntry.message(message)};
	}
}

/** An identity's current state, in the store's form. */
export const readStoredState = async (identity: Identity): Promise<StoredState> => {
	const [{stateId, timestamp, dimensions: rows}, {embeddingModel: model}] = await Promise.all([identity.tensor(), identity.health()]);
	return {stateId, timestamp, rows: dimensions.map(name => rows[name]), model};
};

/** `JSON.stringify` drops the sign of −0. Keeping it lets an import restore the same bits. */
const toNumbers = (vector: Float32Array): unknown[] => Array.from(vector, value => Object.is(value, -0) ? minusZero : value);

/** TypeScript's library does not have `rawJSON` yet. */
const minusZero = (JSON as JSON & {rawJSON: (text: string) => unknown}).rawJSON('-0');

const toEntry = {
	state: (state: StoredState) => ({
		state_id: state.stateId,
		timestamp: state.timestamp,
		model: state.model,
		...('rows' in state
			? {dimensions: Object.fromEntries(dimensions.map((name, d) => [name, toNumbers(state.rows[d]!)]))}
			: {vector: toNumbers(state.vector)}),
	}),
	thought: ({type, content, model, vector}: StoredThought) => ({thought_type: type, content, model, vector: toNumbers(vector)}),
	direction: ({category, name, polePositive, poleNegative, model, vector}: StoredDirection) =>
		({category, name, pole_positive: polePositive, pole_negative: poleNegative, model, vector: toNumbers(vector)}),
	message: ({conversation, title, isDeleted, role, content, createdAt}: Message) =>
		({conversation, title, deleted: isDeleted, role, content, created: createdAt}),
};
