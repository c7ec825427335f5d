/**
 * Records as rows of the table `records`, and back. Vectors and rows of a tensor are stored as
 * the bytes of their floats, bit for bit; everything else as text and JSON, to be queried with SQL.
 */
import {createHash} from 'node:crypto';
import type {StateTensor} from '../kernel/state-tensor.ts';
import type {Checkpoint, CycleRecord, HeldRecord, JournalEntry, JournalRecord, StoredCycle, StoredHeld, StoredRecord} from './journal.ts';
import {toCanonicalJson, toExactJson, type Field} from './json.ts';
import {decodeRow, decodeVector, encodeFloats, encodeVector, requireWidth} from './float-codec.ts';
import {encodeDecision} from './revision.ts';
import {encodeValidation, type ValidationRow} from './validation-codec.ts';

/** How contents and metadata are stored: as they are, or as the SHA-256 of each. */
export type ContentStorage = 'text' | 'hash';

/** The columns of `records` except `seq` and `checksum`. */
export type RecordRow = {
	kind: string;
	id: string;
	timestamp: string;
	/** Id of the state after the record; null if that is the initial state or, except for a validation, the predecessor's. */
	state: number | null;
	/** JSON: the measures of a cycle or a held text and how it was read, a validation's note and baseline in short, or a snapshot's range. */
	facts: string | null;
	/** How `content` and `metadata` are stored; sealed texts are in `vector` (`sealing.ts`). */
	kept: ContentStorage | 'sealed' | null;
	/** Text, or its hash in hexadecimal. */
	content: string | null;
	/** JSON, or its hash in hexadecimal. */
	metadata: string | null;
	/** The checkpoint as JSON. */
	standing: string | null;
	/** The input's embedding without trailing zeros. */
	vector: Uint8Array | null;
	thirdness: Uint8Array | null;
};

/** In the order of the table. */
export const recordColumns = [
	'kind', 'id', 'timestamp', 'state', 'facts', 'kept', 'content', 'metadata', 'standing', 'vector', 'thirdness',
] as const satisfies Array<keyof RecordRow>;

/** A record's number and its columns, in the order of the table: what is inserted and what the checksum covers. */
export const recordFields = (seq: number, row: RecordRow): Field[] => [seq, ...recordColumns.map(column => row[column])];

type StateFacts = {stateTimestamp: string | null};

export type SnapshotFacts = StateFacts & {first: number};

/** What differs from the initial state, as bytes; null for the initial state. */
export type EncodedState = {stateId: number; timestamp: string; thirdness: Uint8Array} | null;

/** The state: thirdness is the only row that ever changes. */
export const decodeState = (initial: StateTensor, state: EncodedState): StateTensor => state === null
	? initial
	: initial.withThirdness(state.stateId, state.timestamp, decodeRow(state.thirdness));

/** The other columns of a record that has only a kind, an id and a time. */
export const emptyRecord = {
	state: null, facts: null, kept: null, content: null, metadata: null, standing: null, vector: null, thirdness: null,
};

/** A record to append: its columns, and its effects on other tables. */
export type EncodedRecord = RecordRow & {
	validation?: ValidationRow;
	/** The facts of a revision, a release or a drop, as JSON. */
	revision?: string;
	/** Whether the daemon's loop asked for the cycle. */
	isOfLoop?: boolean;
	/** Whether it is a newly held text. */
	isWaiting?: boolean;
	/** The record numbers of texts that are no longer held. */
	settled?: readonly number[];
	/** Whether it is the cycle of a released text, and so has that text's id, or is written in its place. */
	isReleased?: boolean;
};

/** A record and those that are written with it. @throws {JournalError} if one could not be read back unchanged. */
export const encodeRecords = (record: JournalRecord, storage: ContentStorage): EncodedRecord[] => [
	encodeRecord(record, storage),
	...('cycles' in record ? record.cycles : []).map(each => ({...encodeRecord(each, storage), isReleased: true})),
];

const idsOf = ({kind, id, timestamp}: Pick<RecordRow, 'kind' | 'id' | 'timestamp'>) => ({kind, id: id.toWellFormed(), timestamp});

const encodeRecord = (record: JournalRecord | StoredCycle, storage: ContentStorage): EncodedRecord => {
	const {kind} = record;
	const row = {...emptyRecord, ...idsOf(record)};
	if (kind === 'reset') {
		return {...row, standing: toExactJson(record.checkpoint)};
	}

	if (kind === 'validation') {
		return {
			...row, state: record.stateId, facts: toExactJson({note: record.note, baseline: record.baseline}),
			validation: encodeValidation(record),
		};
	}

	if (kind === 'revision') {
		return {...row, ...encodeMade(record), revision: encodeDecision(record.facts)};
	}

	if (kind === 'release' || kind === 'drop') {
		const {stateId: state, ids: {length: texts}} = record.facts;
		return {...row, state, facts: toExactJson({texts}), revision: encodeDecision(record.facts), settled: record.settled};
	}

	return kind === 'cycle' || kind === 'held'
		? {...row, ...encodeText(record), ...contentOf(record, storage), isOfLoop: record.origin === 'daemon', isWaiting: kind === 'held'}
		: row;
};

/** A record that replaces a stored one: a text, a revision's state, or a tombstone. */
export const encodeStored = ({seq, record}: JournalEntry): NumberedRow => {
	const {kind} = record;
	const row = {...emptyRecord, ...idsOf(record), seq};
	if (kind === 'cycle' || kind === 'held') {
		return {...row, ...encodeText(record), ...contentOf(record, 'text')};
	}

	return kind === 'revision' ? {...row, ...encodeMade(record)} : row;
};

/** The content of a stored text as it is, or content to store. */
const contentOf = (
	record: CycleRecord | HeldRecord | StoredCycle | StoredHeld, storage: ContentStorage,
): Pick<RecordRow, 'kept' | 'content' | 'metadata'> =>
	'isHashed' in record && record.isHashed
		? {kept: 'hash', content: record.content, metadata: record.metadata}
		: encodeContent(record as CycleRecord, storage);

/** The state that a record made. */
const encodeMade = (
	{stateId, thirdness, checkpoint}: Pick<CycleRecord, 'stateId' | 'thirdness' | 'checkpoint'>,
): Pick<RecordRow, 'state' | 'standing' | 'thirdness'> => ({
	state: stateId, standing: toExactJson(checkpoint), thirdness: encodeFloats(requireWidth(thirdness, 'thirdness')),
});

const encodeText = (record: CycleRecord | HeldRecord | StoredCycle | StoredHeld): Pick<
	RecordRow, 'state' | 'facts' | 'standing' | 'vector' | 'thirdness'
> => {
	const {saidAt, trigger, origin, tokenReport, scores, total, choc, deltaMagnitude, contributions, proposals, perCycleDrift,
		level} = record;
	return {
		...encodeMade(record),
		facts: toExactJson({
			saidAt, trigger, origin, tokenReport, scores, total, choc, deltaMagnitude, contributions, proposals, perCycleDrift, level,
			...(record.kind === 'held' && {reason: record.reason, stateTimestamp: record.stateTimestamp}),
		}),
		vector: encodeVector(requireWidth(record.vector, 'vector')),
	};
};

/** A record's columns and its number. */
export type NumberedRow = RecordRow & {seq: number};

/** A page ends after this many bytes of texts: one may have a megabyte, and memory has the page as rows, message and records. */
export const maxPageBytes = 4 * 2 ** 20;

/** The bytes of a row that long texts may fill; a sealed text is in the vector. */
export const textBytesOf = ({content, metadata, vector}: NumberedRow): number =>
	(content?.length ?? 0) + (metadata?.length ?? 0) + (vector?.byteLength ?? 0);

/** Throws any error for a row that is not a record. */
export const decodeEntry = (row: NumberedRow): JournalEntry => ({seq: row.seq, record: decodeRecord(row)});

const decodeRecord = (row: RecordRow): StoredRecord => {
	const {kind, id, timestamp} = row;
	if (!Object.hasOwn(decoders, kind)) {
		throw new TypeError(`no record is of the kind ${kind}`);
	}

	return {kind, id, timestamp, ...decoders[kind as StoredRecord['kind']](row)} as StoredRecord;
};

const decodeText = (row: RecordRow): object => ({
	tokenReport: {},
	...JSON.parse(row.facts!),
	...decodeContent(row),
	vector: decodeVector(row.vector!),
	...decodeMade(row),
});

const decodeMade = ({state, thirdness, standing}: RecordRow): object =>
	({stateId: state!, thirdness: decodeRow(thirdness!), checkpoint: JSON.parse(standing!)});

const decodeFound = ({state, facts}: RecordRow): object => ({stateId: state!, ...JSON.parse(facts!)});

const decodeNothing = (): object => ({});

/** The fields that a record of each kind has besides its kind, its id and its time. */
const decoders: Readonly<Record<StoredRecord['kind'], (row: RecordRow) => object>> = {
	cycle: decodeText,
	held: decodeText,
	reset: ({standing}) => ({checkpoint: JSON.parse(standing!)}),
	validation: decodeFound,
	revision: decodeMade,
	release: decodeFound,
	drop: decodeFound,
	forgotten: decodeNothing,
	'daemon.started': decodeNothing,
	'daemon.stopped': decodeNothing,
	snapshot(row) {
		const state = encodedStateOf(row);
		return {
			first: decodeSnapshotFacts(row).first, state: state && {...state, thirdness: decodeRow(state.thirdness)},
			checkpoint: decodeCheckpoint(row.standing),
		};
	},
};

export const decodeSnapshotFacts = (row: RecordRow): SnapshotFacts => JSON.parse(row.facts!);

/** The state that a snapshot stands for, or that a held text found. */
export const encodedStateOf = ({facts, state, thirdness}: RecordRow): EncodedState => {
	const {stateTimestamp} = JSON.parse(facts!) as StateFacts;
	return stateTimestamp === null ? null : {stateId: state!, timestamp: stateTimestamp, thirdness: thirdness!};
};

export const decodeCheckpoint = (json: string | null): Checkpoint | null => json === null ? null : JSON.parse(json);

/** Text is stored as UTF-8, which has no lone surrogates: they become U+FFFD, as they do for any model. */
const encodeContent = (
	record: Pick<CycleRecord, 'content' | 'metadata'>, kept: ContentStorage,
): Pick<RecordRow, 'kept' | 'content' | 'metadata'> => {
	const content = record.content.toWellFormed();
	// Metadata may say as much about a person as the text does.
	return kept === 'text'
		? {kept, content, metadata: JSON.stringify(record.metadata)}
		: {kept, content: sha256(content), metadata: sha256(toCanonicalJson(record.metadata))};
};

const decodeContent = ({kept, content, metadata}: RecordRow): Pick<StoredCycle, 'isHashed' | 'content' | 'metadata'> => kept === 'hash'
	? {isHashed: true, content: content!, metadata: metadata!}
	: {isHashed: false, content: content!, metadata: JSON.parse(metadata!)};

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
