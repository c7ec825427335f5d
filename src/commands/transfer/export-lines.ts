/** Everything that is known, as JSON Lines: what was brought in, what was written, and the state that a process has made of it. */
import {ConfigurationError} from '../../errors.ts';
import {everyMessage, type Message} from '../../sources/message-file.ts';
import type {SqliteStore} from '../../store/sqlite/store.ts';
import type {StoredDirection, StoredState, StoredThought} from '../../store/store.ts';
import {dimensions} from '../../tensor/dimensions.ts';
import {openExistingJournal} from '../../journal/sqlite/journal-reader.ts';
import type {Kind} from './entry-kinds.ts';

type Options = {
	store: SqliteStore;
	messagesFile: string;
	/** The journal's folder; where none was begun, there is no state to give. */
	journal: string;
	/** Hears of each entry. */
	onEntry?: (kind: Kind) => void;
};

/**
 * One JSON object a line, each with its `kind`. The process's own state comes last of the
 * states, so that it takes the place of a stored one of the same id.
 *
 * @throws {JournalError} at once, while a service has the journal open; {ConfigurationError} at once, when there is nothing; {StoreError} on the way, when the store or the messages cannot be read.
 */
export const exportAll = ({store, messagesFile, journal, onEntry}: Options): Generator<string> => {
	// First, and before anything is written anywhere, since it is what may refuse: a running service has it.
	const entries = everything(store, messagesFile, currentState(journal));
	const first = entries.next();
	if (first.done) {
		throw new ConfigurationError(`There is nothing to export: nothing is in ${store.place}, no message in ${messagesFile}, and no journal in ${journal}. Set DATA_DIR to the folder of what you mean.`);
	}

	return written(first.value, entries, onEntry);
};

type Entry = {kind: Kind};

function * written(first: Entry, others: Iterable<Entry>, onEntry: Options['onEntry']): Generator<string> {
	for (const entries of [[first], others]) {
		for (const entry of entries) {
			onEntry?.(entry.kind);
			yield `${JSON.stringify(entry)}\n`;
		}
	}
}

function * everything(store: SqliteStore, messagesFile: string, current: StoredState | null): Generator<Entry> {
	for (const {kind, ...item} of store.everything()) {
		yield {kind, ...wire[kind](item as never)};
	}

	if (current) {
		yield {kind: 'state', ...wire.state(current)};
	}

	// Oldest first, as they would have been brought in.
	for (const message of [...everyMessage(messagesFile)].toReversed()) {
		yield {kind: 'message', ...wire.message(message)};
	}
}

const currentState = (journal: string): StoredState | null => {
	const reader = openExistingJournal(journal);
	if (!reader) {
		return null;
	}

	try {
		const {stateId, timestamp, rows} = reader.stateAfter(reader.records);
		return {stateId, timestamp, rows, model: reader.genesis.passport.model};
	} finally {
		reader.close();
	}
};

/** Minus zero is written out, where `JSON.stringify` would drop its sign: a state comes back bit for bit. */
const numbers = (vector: Float32Array): unknown[] => Array.from(vector, value => Object.is(value, -0) ? minusZero : value);

/** Not yet known to TypeScript's own library. */
const minusZero = (JSON as JSON & {rawJSON: (text: string) => unknown}).rawJSON('-0');

const wire = {
	state: (state: StoredState) => ({
		state_id: state.stateId,
		timestamp: state.timestamp,
		model: state.model,
		...('rows' in state
			? {dimensions: Object.fromEntries(dimensions.map((name, d) => [name, numbers(state.rows[d]!)]))}
			: {vector: numbers(state.vector)}),
	}),
	thought: ({type, content, model, vector}: StoredThought) => ({thought_type: type, content, model, vector: numbers(vector)}),
	direction: ({category, name, polePositive, poleNegative, model, vector}: StoredDirection) =>
		({category, name, pole_positive: polePositive, pole_negative: poleNegative, model, vector: numbers(vector)}),
	message: ({conversation, title, isDeleted, role, content, createdAt}: Message) =>
		({conversation, title, deleted: isDeleted, role, content, created: createdAt}),
};
