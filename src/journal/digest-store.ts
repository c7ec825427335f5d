/** A digest of some records as it is stored: a head that is JSON, and a body of floats. */
export type StoredDigest = {readonly head: unknown; readonly body: Uint8Array};

/**
 * Where a journal keeps digests of its records: what follows from them and takes long to compute. They are derived, and never
 * the truth: without them every question has the same answer, later. Nothing that fails here fails the journal.
 */
export interface DigestStore {
	/** What was added, in its order; what is damaged ends it. */
	read(): Promise<StoredDigest[]>;
	add(digest: StoredDigest): Promise<void>;
	/** Forgets all: where what they were made of has changed. */
	clear(): Promise<void>;
}
