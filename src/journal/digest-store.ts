import zlib from 'node:zlib';

/** A stored digest of some records: a head in JSON, and a body of floats, whose memory belongs to the reader. */
export type StoredDigest = {readonly head: unknown; readonly body: Uint8Array};

/** A head that was read, and the checksum of its body. */
export type ReadHead = {readonly head: unknown; readonly checksum: number};

/** The head as it is stored, with the checksum of the body. So heads can be verified without their bodies. */
export const encodeHead = ({head, body}: StoredDigest): string => JSON.stringify([head, zlib.crc32(body)]);

export const decodeHead = (json: string): ReadHead => {
	const [head, checksum] = JSON.parse(json) as [unknown, number];
	return {head, checksum};
};

/** A digest with its body; null if the body is damaged. */
export const withBody = ({head, checksum}: ReadHead, body: Uint8Array): StoredDigest | null =>
	zlib.crc32(body) === checksum ? {head, body} : null;

/** A placeholder for a body that is not wanted. */
export const emptyBody = new Uint8Array();

/**
 * Where a journal keeps digests of its records: derived data that takes long to compute. Without them, every question has the
 * same answer, only later. A failure here never fails the journal.
 */
export interface DigestStore {
	/** Whether `add`, `keep` and `clear` do nothing: then no digests are made for it. */
	readonly isReadOnly?: boolean;
	/** The digests in the order of `add`, up to the first damaged one. @param wants Whose bodies are read; the others are empty. */
	read(wants?: (head: unknown) => boolean): Promise<StoredDigest[]>;
	/** The newest digest; null if there is none or it is damaged. */
	newest(): Promise<StoredDigest | null>;
	/** Appends a digest. */
	add(digest: StoredDigest): Promise<void>;
	/** Stores one value of plain data, in place of the earlier one. */
	keep(value: unknown): Promise<void>;
	/** The stored value; null if there is none or it is damaged. */
	kept(): Promise<unknown>;
	/**
	 * The vectors of the cycles among some records, concatenated in order. They are not verified: the maker of a digest of them
	 * knows what they were.
	 *
	 * @param used How many floats each has at most before its trailing zeros.
	 * @returns null if one has more, or if records store them in another form, as sealed ones do
	 */
	vectors?(first: number, last: number, used: number): Promise<Float32Array | null>;
	/** Removes everything, when the underlying records have changed. */
	clear(): Promise<void>;
}
