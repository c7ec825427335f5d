/**
 * The genesis, records, decisions and the newest validation as rows, and back. Vectors and rows of a tensor are stored as the
 * bytes of their floats, bit for bit; everything else as text and JSON, to be queried with SQL.
 */
import {createHash} from 'node:crypto';
import {dimensions} from '../kernel/dimensions.ts';
import {StateTensor} from '../kernel/state-tensor.ts';
import {decodeRow, decodeRows, decodeVector, encodeFloats, encodeRows, encodeVector, requireWidth, usedWidth} from './float-codec.ts';
import type {
	Checkpoint, CycleRecord, Genesis, HeldRecord, JournalEntry, JournalRecord, StoredCycle, StoredHeld, StoredRecord,
} from './journal.ts';
import {toCanonicalJson, toExactJson} from './json.ts';
import type {RevisionFacts, SettlementFacts, TextsDecision} from './revision.ts';
import {
	decodeSnapshotFacts, emptyRecord, encodedStateOf, type ContentStorage, type EncodedRecord, type EncodedState, type GenesisRow,
	type NumberedRow, type NumberedValidationRow, type RecordRow, type RevisionRow, type ValidationRow,
} from './rows.ts';
import {factsOf, type BaselineText, type Chance, type Validation, type ValidationFacts, type ValidationRecord} from './validation.ts';

export const encodeGenesis = ({initial, reference, passport, isRandom}: Genesis): GenesisRow => ({
	initial: encodeRows(initial.rows),
	initial_state: initial.stateId,
	initial_timestamp: initial.timestamp,
	reference: encodeRows(reference.rows),
	reference_state: reference.stateId,
	reference_timestamp: reference.timestamp,
	passport: JSON.stringify(passport),
	random: Number(isRandom),
});

export const decodeGenesis = (row: GenesisRow): Genesis => ({
	initial: new StateTensor(row.initial_state, row.initial_timestamp, decodeRows(row.initial, dimensions.length)),
	reference: new StateTensor(row.reference_state, row.reference_timestamp, decodeRows(row.reference, dimensions.length)),
	passport: JSON.parse(row.passport),
	isRandom: row.random !== 0,
});

/** @throws {JournalError} if it could not be read back unchanged. */
const encodeDecision = (facts: RevisionFacts | SettlementFacts): string =>
	toExactJson({...facts, id: facts.id.toWellFormed()});

/** @throws {JournalError} if it could not be read back unchanged. */
export const encodeNumbered = ({seq, ...facts}: TextsDecision): RevisionRow => ({seq, facts: encodeDecision(facts)});

export const decodeDecision = ({seq, facts}: RevisionRow): TextsDecision =>
	({...JSON.parse(facts) as RevisionFacts | SettlementFacts, seq});

/** The state: thirdness is the only row that ever changes. */
export const decodeState = (initial: StateTensor, state: EncodedState): StateTensor => state === null
	? initial
	: initial.withThirdness(state.stateId, state.timestamp, decodeRow(state.thirdness));

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

/**
 * The anchor's time, the number of floats stored per vector, and the other fields of each text: compaction never removes the texts
 * that later ones are compared with.
 */
type Details = {anchor: string; stored: number; texts: Array<Omit<BaselineText, 'vector'>>; chance: Chance | null};

/** Validations from when runs of one source were the unit have no conversations and no chance. */
type Newer = 'conversation' | 'isOwn' | 'isUnread';
type OlderText = Omit<Details['texts'][number], Newer> & Partial<Pick<BaselineText, Newer>>;
type OlderDetails = Omit<Details, 'texts' | 'chance'> & {texts: OlderText[]; chance?: Chance | null};
type OlderBaseline = Partial<ValidationFacts['baseline']> & {texts: number; visits?: number};

/** @throws {JournalError} if the validation could not be read back unchanged. */
export const encodeValidation = (record: ValidationRecord): ValidationRow => {
	const {anchor, texts} = record;
	const vectors = texts.map(({vector}) => requireWidth(vector, 'vector'));
	const stored = Math.max(0, ...vectors.map(usedWidth));
	const floats = new Float32Array(stored * vectors.length);
	for (const [i, vector] of vectors.entries()) {
		floats.set(vector.subarray(0, stored), i * stored);
	}

	return {
		facts: toExactJson({...factsOf(record), id: record.id.toWellFormed()} satisfies ValidationFacts),
		details: toExactJson({
			anchor: anchor.timestamp, stored, texts: texts.map(
				({id, source, time, conversation, isOwn, isUnread}) => ({id, source, time, conversation, isOwn, isUnread}),
			),
			chance: record.chance,
		} satisfies Details),
		thirdness: encodeFloats(requireWidth(anchor.thirdness, 'thirdness')),
		vectors: encodeFloats(floats),
	};
};

export const decodeFacts = ({facts}: Pick<ValidationRow, 'facts'>): ValidationFacts => {
	const stored = JSON.parse(facts) as Omit<ValidationFacts, 'baseline'> & {baseline: OlderBaseline};
	const {visits, ...baseline} = stored.baseline;
	return {...stored, baseline: {heard: baseline.texts, conversations: visits ?? 0, ...baseline} as ValidationFacts['baseline']};
};

export const decodeValidation = (row: NumberedValidationRow): Validation => {
	const {anchor, stored, texts, chance = null} = JSON.parse(row.details) as OlderDetails;
	const size = stored * Float32Array.BYTES_PER_ELEMENT;
	return {
		kind: 'validation',
		seq: row.seq,
		...decodeFacts(row),
		anchor: {timestamp: anchor, thirdness: decodeRow(row.thirdness)},
		texts: texts.map(({id, source, time, conversation = null, isOwn = source === 'self', isUnread = false}, i) =>
			({id, source, time, conversation, isOwn, isUnread, vector: decodeVector(row.vectors.subarray(i * size, (i + 1) * size))})),
		chance,
	};
};
