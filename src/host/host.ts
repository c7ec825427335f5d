/**
 * The port of many identities: finds an identity by its name, wherever it is. It is opened on
 * request, and begins only when it is created.
 */
import type {Fleet, FleetRequest} from '../generated/types.ts';
import type {ReadinessView} from '../identity/views.ts';
import type {LocalIdentity} from '../identity/identity.ts';
import type {StateTensor} from '../kernel/state-tensor.ts';

/** Where an identity is: in this program, or at the node with this address. */
export type Placement = {readonly here: LocalIdentity} | {readonly elsewhere: string};

/**
 * What a new identity begins with: a state; or the present state and the reference of another one,
 * without its past. With neither it begins as the sources say.
 */
export type Beginning = {readonly state?: StateTensor; readonly copyOf?: never} | {readonly copyOf: string; readonly state?: never};

/** An identity in a list. */
export type IdentityInfo = {readonly name: string; /** Whether it is in memory. */ readonly isLive: boolean};

/** Whether a node can take requests: each part is `ok`, or says why it is not. */
export type HostReadiness = Pick<ReadinessView, 'ready' | 'isTemporary' | 'languages'> & {readonly parts: Readonly<Record<string, string>>};

/** Many identities by name. Names must be as `openJournals` allows; each method throws `InputError` for any other. */
export interface Host extends AsyncDisposable {
	/** The identity of requests that name none. It cannot be put aside. */
	readonly defaultName: string;

	/** How many identities can be in memory at once. Absent if there is no limit. */
	readonly maxLive?: number;

	/** Whether no other node can have the identities in memory here. Absent if there are no other nodes. */
	readonly isMember?: boolean;

	/**
	 * Finds an identity, and opens it if it is not live. For a live one it returns the placement at once, without a promise.
	 * Call the identity in the same turn of the event loop: once it is idle, it may make room for another.
	 *
	 * @param signal Ends the wait, not the opening.
	 * @throws {UnknownIdentityError} if none has this name
	 * @throws {BusyError} when no more can be live, and none of the live is idle
	 * @throws {UnavailableError} while stopping; and the errors of the opening
	 */
	place(name: string, signal?: AbortSignal): Placement | Promise<Placement>;

	/**
	 * Creates an identity. Resolves when its beginning is durable.
	 *
	 * @throws {ConflictError} if the name is taken; {BusyError} as `place` does
	 */
	create(name: string, beginning?: Beginning): Promise<void>;

	/**
	 * Closes an identity and puts it aside, so that no request finds it. Its records are not erased; keys of sealed texts are.
	 *
	 * @throws {UnknownIdentityError}; {ConflictError} for the default one
	 */
	putAside(name: string): Promise<void>;

	/** At most `limit` identities whose names come after `after`, in the order of their names. */
	list(after: string | null, limit: number): Promise<IdentityInfo[]>;

	/** The answer of `GET /fleet`: a row for each identity. Absent if no rows are kept. @throws {InputError} for an unknown `after` */
	fleet?(request: FleetRequest): Promise<Fleet>;

	/** Copies the journal of an identity into a file, while the identity runs. Disposing of the result removes the file. */
	backup?(name: string): Promise<{readonly file: string} & AsyncDisposable>;

	/** Whether this node can take requests, part by part. If it is absent, the readiness of the default identity counts. */
	readiness?(): HostReadiness;

	/**
	 * Opens nothing more, and resolves when everything that live identities accepted is done and durable. Disposing of the
	 * host closes all without that wait.
	 */
	drain(): Promise<void>;
}
