/**
 * The newest validation as the one row of its table, and back. Its baseline is stored with it, so
 * that compaction never removes the texts that later ones are compared with. Texts are inside JSON,
 * which keeps NUL characters.
 */
import {factsOf, type BaselineText, type Chance, type Validation, type ValidationFacts, type ValidationRecord} from './validation.ts';
import {toExactJson, type Field} from './json.ts';
import {decodeRow, decodeVector, encodeFloats, requireWidth, usedWidth} from './float-codec.ts';

/** The columns of `validation` except `id`, `seq` and `checksum`. */
export type ValidationRow = {
	/** JSON: a {@link ValidationFacts}. */
	facts: string;
	/** JSON: {@link Details}. */
	details: string;
	/** The anchor's. */
	thirdness: Uint8Array;
	/** The vectors of all texts, without the trailing zeros that all of them have. */
	vectors: Uint8Array;
};

/** The row, and the number of its record. */
export type NumberedValidationRow = ValidationRow & {seq: number};

/** The anchor's time, the number of floats stored per vector, and the other fields of each text. */
type Details = {anchor: string; stored: number; texts: Array<Omit<BaselineText, 'vector'>>; chance: Chance | null};

/** Validations from when runs of one source were the unit have no conversations and no chance. */
type Newer = 'conversation' | 'isOwn' | 'isUnread';
type OlderText = Omit<Details['texts'][number], Newer> & Partial<Pick<BaselineText, Newer>>;
type OlderDetails = Omit<Details, 'texts' | 'chance'> & {texts: OlderText[]; chance?: Chance | null};
type OlderBaseline = Partial<ValidationFacts['baseline']> & {texts: number; visits?: number};

/** In the order of the table. */
export const validationColumns = ['facts', 'details', 'thirdness', 'vectors'] as const satisfies Array<keyof ValidationRow>;

/** The fields that the checksum covers. */
export const validationFields = (seq: number, row: ValidationRow): Field[] => [seq, ...validationColumns.map(column => row[column])];

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
