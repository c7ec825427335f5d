/**
 * The port of many identities: finds the one of a name, wherever it lives. An identity is opened
 * when it is asked for, and begins only when it is created.
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

/** Many identities by their names, as `openJournals` allows them. Each method throws `InputError` for any other name. */
export interface Host extends AsyncDisposable {
	/** The identity that a request means which names none. It is never put aside. */
	readonly defaultName: string;

	/** How many identities can be in memory at once. Absent where nothing bounds it. */
	readonly maxLive?: number;

	/** Whether no other node can have what is in memory here. Absent where there are no others. */
	readonly isMember?: boolean;

	/**
	 * Finds an identity, and opens it where it is not live. Of a live one it gives the placement at once, without a promise.
	 * Call the identity in the same turn of the event loop: once it is idle, it may make room for another.
	 *
	 * @param signal Ends the wait, not the opening.
	 * @throws {UnknownIdentityError} where none has this name
	 * @throws {BusyError} when no more can be live, and none of the live is idle
	 * @throws {UnavailableError} while stopping; and what an opening fails with
	 */
	place(name: string, signal?: AbortSignal): Placement | Promise<Placement>;

	/**
	 * Creates an identity. Resolves when its beginning is durable.
	 *
	 * @throws {ConflictError} where the name is taken; {BusyError} as `place` does
	 */
	create(name: string, beginning?: Beginning): Promise<void>;

	/**
	 * Closes an identity and puts it aside, where no request finds it. Nothing is erased.
	 *
	 * @throws {UnknownIdentityError}; {ConflictError} for the default one
	 */
	putAside(name: string): Promise<void>;

	/** The identities whose names come after one, in their order: at most `limit`. */
	list(after: string | null, limit: number): Promise<IdentityInfo[]>;

	/** What `GET /fleet` answers: a row of each identity. Absent where no rows are kept. @throws {InputError} for an unknown `after` */
	fleet?(request: FleetRequest): Promise<Fleet>;

	/** Copies the journal of an identity that goes on, into a file; disposed of, it is removed. */
	backup?(name: string): Promise<{readonly file: string} & AsyncDisposable>;

	/** Whether this node can take requests, part by part. Without it, the default identity's readiness is asked. */
	readiness?(): HostReadiness;

	/**
	 * Opens nothing more, and resolves when what the live ones accepted is done and durable. Disposed of, it closes all
	 * without that wait.
	 */
	drain(): Promise<void>;
}
