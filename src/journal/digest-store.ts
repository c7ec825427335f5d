import zlib from 'node:zlib';

/** A digest of some records as it is stored: a head that is JSON, and a body of floats, whose memory is that of the reader alone. */
export type StoredDigest = {readonly head: unknown; readonly body: Uint8Array};

/** A head that was read, and the checksum of its body. */
export type ReadHead = {readonly head: unknown; readonly checksum: number};

/** The head as it is stored, with the checksum of the body: who reads heads alone knows that they are right. */
export const encodeHead = ({head, body}: StoredDigest): string => JSON.stringify([head, zlib.crc32(body)]);

export const decodeHead = (json: string): ReadHead => {
	const [head, checksum] = JSON.parse(json) as [unknown, number];
	return {head, checksum};
};

/** A digest with its body; null where that is damaged. */
export const withBody = ({head, checksum}: ReadHead, body: Uint8Array): StoredDigest | null =>
	zlib.crc32(body) === checksum ? {head, body} : null;

/** What stands in the place of a body that is not wanted. */
export const emptyBody = new Uint8Array();

/**
 * Where a journal keeps digests of its records: what follows from them and takes long to compute. They are derived, and never
 * the truth: without them every question has the same answer, later. Nothing that fails here fails the journal.
 */
export interface DigestStore {
	/** Whether what is added, kept or cleared stays as it is: then nothing is made for it. */
	readonly isReadOnly?: boolean;
	/** What was added, in its order; what is damaged ends it. @param wants Whose bodies are read; those of others are empty. */
	read(wants?: (head: unknown) => boolean): Promise<StoredDigest[]>;
	/** What was added last; null without one, and for one that is damaged. */
	newest(): Promise<StoredDigest | null>;
	/** Appends one. */
	add(digest: StoredDigest): Promise<void>;
	/** Keeps one value, plain data, in the place of the one before. */
	keep(value: unknown): Promise<void>;
	/** The value that is kept; null without one, and for one that is damaged. */
	kept(): Promise<unknown>;
	/**
	 * The vectors of the cycles among some records, one behind another in their order, and nothing else of the records. They are not
	 * verified: who has made a digest of them knows what they were.
	 *
	 * @param used How many floats of each there are at most before the zeros at its end.
	 * @returns null where one has more, and where records keep them in another form, as sealed ones do
	 */
	vectors?(first: number, last: number, used: number): Promise<Float32Array | null>;
	/** Forgets all: where what they were made of has changed. */
	clear(): Promise<void>;
}
