/**
 * Seals parts of rows. A text's measures, content, metadata and vector are sealed together with its source's key, and stored in
 * `vector`. States, decisions, the newest validation and digests are sealed with the states' key: two successive states reveal
 * the text between them, and the others name sources. Ids, times, kinds and counters stay as they are.
 */
import {bytesPerRow} from './float-codec.ts';
import type {KeyRing} from './key-ring.ts';
import type {JournalRows} from './journal-rows.ts';
import {readAll} from './read-pages.ts';
import type {
	ContentStorage, EncodedRecord, EncodedState, NumberedRow, NumberedValidationRow, RecordRow, RevisionRow, StateFacts, ValidationRow,
} from './rows.ts';

/** The parts of a row that are sealed with its vector. */
type Sealed = [facts: string | null, kept: ContentStorage | null, content: string | null, metadata: string | null];

/** The name of a text's key: its source, or '' for all texts without one. The source of a hashed text is unknown. */
const keyNameOf = ({kept, metadata}: Pick<RecordRow, 'kept' | 'metadata'>): string => {
	const {source} = kept === 'text' ? JSON.parse(metadata!) as {source?: unknown} : {};
	return typeof source === 'string' ? source.slice(0, maxNameLength) : '';
};

/** Sources whose first 200 characters are equal share a key. */
const maxNameLength = 200;

const isText = ({vector}: RecordRow): boolean => vector !== null;

/** The names of the keys that sealing these rows needs. */
export const keyNamesOf = (rows: readonly RecordRow[]): Array<string | null> => [null, ...rows.filter(isText).map(keyNameOf)];

export const sealRow = <Row extends EncodedRecord>(ring: KeyRing, row: Row): Row => ({
	...row,
	...(isText(row) && {
		facts: row.kind === 'held' ? JSON.stringify({stateTimestamp: (JSON.parse(row.facts!) as StateFacts).stateTimestamp}) : null,
		kept: 'sealed',
		content: null,
		metadata: null,
		vector: ring.seal(keyNameOf(row), joinText(JSON.stringify([row.facts, row.kept, row.content, row.metadata]), row.vector!)),
	}),
	thirdness: row.thirdness && ring.seal(null, row.thirdness),
	...(row.revision !== undefined && {revision: sealText(ring, row.revision)}),
	...(row.validation && {validation: sealValidation(ring, row.validation)}),
});

export const isSealed = ({kept}: RecordRow): boolean => kept === 'sealed';

export const openRow = (ring: KeyRing, row: NumberedRow): NumberedRow => {
	const what = `Record ${row.seq} of ${row.timestamp}`;
	const thirdness = row.thirdness && openState(ring, row.thirdness, what);
	if (!isSealed(row)) {
		return thirdness === row.thirdness ? row : {...row, thirdness};
	}

	const [json, vector] = splitText(ring.open(row.vector!, what));
	const [facts, kept, content, metadata] = JSON.parse(json) as Sealed;
	return {...row, facts, kept, content, metadata, vector, thirdness};
};

/** The numbers and times of the rows whose keys a ring lacks. Their checksums are right: these also cover sealed bytes. */
export const findUnread = async (
	journal: Pick<JournalRows, 'read' | 'held'>, ring: Pick<KeyRing, 'opens'>,
): Promise<Map<number, string>> => {
	const unread = new Map<number, string>();
	for await (const page of readAll(journal)) {
		for (const {seq, timestamp} of page.filter(row => !canOpen(ring, row))) {
			unread.set(seq, timestamp);
		}
	}

	return unread;
};

/** Whether the ring has all keys of a row. */
const canOpen = (ring: Pick<KeyRing, 'opens'>, row: RecordRow): boolean => (!isSealed(row) || ring.opens(row.vector!))
	&& (!row.thirdness || row.thirdness.length === bytesPerRow || ring.opens(row.thirdness));

/** A row of a tensor has a fixed length; a sealed one is longer. */
const openState = (ring: KeyRing, thirdness: Uint8Array, what: string): Uint8Array =>
	thirdness.length === bytesPerRow ? thirdness : ring.open(thirdness, what);

export const openEncodedState = (ring: KeyRing, state: EncodedState): EncodedState =>
	state && {...state, thirdness: openState(ring, state.thirdness, `State ${state.stateId} of ${state.timestamp}`)};

/** Marks sealed text: no JSON begins like this. */
const mark = 'sealed:';

const sealText = (ring: KeyRing, text: string): string => mark + Buffer.from(ring.seal(null, Buffer.from(text))).toString('base64');

export const sealRevision = (ring: KeyRing, {seq, facts}: RevisionRow): RevisionRow => ({seq, facts: sealText(ring, facts)});

export const openRevision = (ring: KeyRing, {seq, facts}: RevisionRow): RevisionRow => ({
	seq, facts: facts.startsWith(mark)
		? Buffer.from(ring.open(Buffer.from(facts.slice(mark.length), 'base64'), `What record ${seq} decided`)).toString()
		: facts,
});

/** The details are sealed together with the vectors. */
export const sealValidation = <Row extends ValidationRow>(ring: KeyRing, row: Row): Row => ({
	...row, details: '', thirdness: ring.seal(null, row.thirdness), vectors: ring.seal(null, joinText(row.details, row.vectors)),
});

export const openValidation = (ring: KeyRing, row: NumberedValidationRow): NumberedValidationRow => {
	if (row.details !== '') {
		return row;
	}

	const what = `The validation of record ${row.seq}`;
	const [details, vectors] = splitText(ring.open(row.vectors, what));
	return {...row, details, vectors, thirdness: ring.open(row.thirdness, what)};
};

/** Joins the length of a text in bytes, the text, and other bytes. */
export const joinText = (text: string, bytes: Uint8Array): Uint8Array => {
	const length = Buffer.byteLength(text);
	const joined = Buffer.allocUnsafe(4 + length + bytes.length);
	joined.writeUInt32LE(length);
	joined.write(text, 4);
	joined.set(bytes, 4 + length);
	return joined;
};

export const splitText = (joined: Uint8Array): [string, Uint8Array] => {
	const bytes = Buffer.from(joined.buffer, joined.byteOffset, joined.length);
	const end = 4 + bytes.readUInt32LE();
	return [bytes.toString('utf8', 4, end), joined.slice(end)];
};
