/**
 * Many identities in one program, whose journals are in one folder of this machine. Only `create`
 * begins an identity; the default one begins at its first request.
 */
import {systemTime, unrefTimers, type Time, type Timers} from '../platform/clock.ts';
import {ConfigurationError, UnavailableError, type Warn, warnToConsole, withoutThrowing} from '../platform/errors.ts';
import {defaultIdentityName, requireIdentityName} from '../platform/identity-name.ts';
import type {LocalIdentity} from '../identity/identity.ts';
import type {Journal} from '../journal/journal.ts';
import type {Journals} from '../journal/sqlite/journals.ts';
import {ranges, requireOptions, whole, within, type Checks} from '../platform/ranges.ts';
import {withSignal} from '../platform/waiting.ts';
import {beginNew, defaultError, fullError, genesisOf, requireBegun, requireNew, takenError, unknownError, whileOpen} from './beginning.ts';
import type {Beginning, Host, IdentityInfo} from './host.ts';
import {openFolderFleet, type FolderFleet} from './folder-fleet.ts';
import {LiveIdentities, type LiveIdentitiesOptions} from './live-identities.ts';
import {DueRunner, nextCycle} from './due-runner.ts';
import {DueTimes} from './due-times.ts';

/** The options of an embedded host. */
export type EmbeddedHostOptions = {
	/** The journals of all identities. They are closed with the host. */
	journals: Journals;
	/** Opens an identity over its journal; a new one begins with the state, if there is one. Resolves when it is ready. */
	open(name: string, journal: Journal, beginning?: Pick<Beginning, 'state'>): Promise<LocalIdentity>;
	/** The identity of requests that name none. It begins at its first request, and stays live. @default 'default' */
	defaultName?: string;
	/** How many identities there may be, including those put aside. No more are created. @default 10_000 */
	maxIdentities?: number;
	/**
	 * How many identities may be live at once. A further one takes the place of the one that has been idle longest; if
	 * none is idle, of the one that has been live longest, for a second or more.
	 * @default 1000
	 */
	maxLive?: number;
	/** How long an idle identity stays live, in milliseconds. @default 300_000 */
	idleMs?: number;
	/**
	 * The file with a row for each identity, from which `fleet` is answered without opening any. It is created if it is missing.
	 * @default undefined — there is no `fleet`
	 */
	fleetFile?: string;
	/** The clock for `idleMs`. @default the system's */
	time?: Time;
	/** The timers for `idleMs`. @default the global ones, which do not keep the program alive */
	timers?: Timers;
	/** Called with warnings, for example when an identity could not be closed. @default the console */
	warn?: Warn;
};

const checks: Checks<EmbeddedHostOptions> = {
	journals: true, open: true, defaultName: true, maxIdentities: whole(ranges.count), maxLive: whole(ranges.count),
	idleMs: within(ranges.milliseconds), fleetFile: true, time: true, timers: true, warn: true,
};

/** A host with all identities in this program. */
export interface EmbeddedHost extends Host {
	/** Finds an identity as {@link Host.place} does. */
	place(name: string, signal?: AbortSignal): {readonly here: LocalIdentity} | Promise<{readonly here: LocalIdentity}>;
}

/**
 * Hosts many identities in one program: each is opened on request, and closed when it has been idle for
 * long or another needs its place. `createHttp` serves them; so does a resolver that returns `place(name)`.
 *
 * @throws {ConfigurationError} for an unknown option
 *
 * @example
 * ```ts
 * import {openIdentity} from 'processual-state';
 * import {loadEncoder} from 'processual-state/embedding';
 * import {createEmbeddedHost} from 'processual-state/host';
 * import {createHttp, listen} from 'processual-state/http';
 * import {openJournals} from 'processual-state/journal';
 *
 * const encoder = await loadEncoder();
 * const host = createEmbeddedHost({
 * 	journals: openJournals({folder: './identities'}),
 * 	open: (name, journal, {state} = {}) => openIdentity({encoder, journal, ...(state && {initialState: state})}),
 * });
 * await host.create('ada');
 * const {here} = await host.place('ada');
 * await here.cycle('The sea is quiet today.');
 * await listen(createHttp(host), {host: '127.0.0.1', port: 8100});
 * ```
 */
export const createEmbeddedHost = (given: EmbeddedHostOptions): EmbeddedHost => {
	requireOptions('The host', given, checks);
	const {
		journals, open, defaultName = defaultIdentityName, maxIdentities = 10_000,
		maxLive = 1000, idleMs = 300_000, fleetFile, time = systemTime, timers = unrefTimers, warn,
	} = {...given, warn: withoutThrowing(given.warn ?? warnToConsole)};

	/** @throws {UnknownIdentityError} */
	const requireKnown = (name: string): void => {
		if (name !== defaultName && !journals.has(requireIdentityName(name))) {
			throw unknownError(name);
		}
	};

	const fleet = fleetFile === undefined ? null : openFolderFleet(fleetFile, journals, {time, timers, warn});
	const {live, loops, drain, dispose} = createLive({
		maxLive, idleMs, time, timers, warn, fleet, kept: defaultName,
		async open(name) {
			// It may have been put aside since the request: opening its journal would make a new one.
			requireKnown(name);
			const journal = name === defaultName ? journals.for(name) : requireBegun(journals.for(name), name);
			return open(name, fleet ? fleet.rows.withNoticed(name, journal) : journal);
		},
	});
	const withRoom = limitCreations(journals, maxIdentities);

	const openPlace = async (name: string, signal?: AbortSignal) => {
		requireKnown(name);
		return {here: await withSignal(Promise.resolve(live.get(name)), signal)};
	};

	return {
		defaultName,
		maxLive,

		place(name, signal) {
			const here = live.find(name);
			return here ? {here} : openPlace(name, signal);
		},

		async create(name, {copyOf, state} = {}) {
			requireIdentityName(name);
			const genesis = copyOf === undefined ? null : genesisOf((await openPlace(copyOf)).here);
			if (live.find(name)) {
				throw takenError(name);
			}

			await withRoom(async () => live.close(name, async () => live.withPlace(async () => {
				await requireUnbegun(journals, name);
				await journals.create(name, async journal => beginNew(open, name, journal, genesis, state));
				await fleet?.begin(name);
			})));
		},

		async putAside(name) {
			requireKnown(name);
			if (name === defaultName) {
				throw defaultError(name);
			}

			await live.close(name, async () => {
				// Another request may have put it aside by now.
				requireKnown(name);
				await journals.putAside(name);
				loops.remove(name);
				fleet?.remove(name);
			});
		},

		list: async (after, limit) => listOf(journals, live.names(), after, limit),

		...(fleet && {fleet: fleet.ask}),
		backup: async name => openPlace(name).then(
			async ({here}) => copyOpen(name, here, live, journals),
			async (error: unknown) => copyClosed(name, error, live, journals),
		),
		drain,
		[Symbol.asyncDispose]: async () => dispose().then(journals.close),
	};
};

/** A listener keeps the identity live, however long its copy takes. @throws {UnavailableError} if it was closed before that ended */
const copyOpen = async (
	name: string, identity: LocalIdentity, live: LiveIdentities, journals: Pick<Journals, 'backup'>,
): ReturnType<Journals['backup']> => {
	const release = identity.on('stopped', () => {});
	try {
		return await journals.backup(name);
	} catch (error) {
		throw live.find(name) !== identity ? closedError(name, error) : haltOf(identity, error) ?? error;
	} finally {
		release();
	}
};

/** Opens only the journal of an identity that cannot be opened, for example because it was begun with another model. */
const copyClosed = async (
	name: string, cause: unknown, live: LiveIdentities, journals: Pick<Journals, 'for' | 'backup'>,
): ReturnType<Journals['backup']> => {
	if (!(cause instanceof ConfigurationError)) {
		throw cause;
	}

	return live.close(name, async () => whileOpen(journals.for(name), async () => journals.backup(name)));
};

/** It was put aside, or it failed: the next request opens it again, or does not find it. */
const closedError = (name: string, cause: unknown): UnavailableError => new UnavailableError(
	`The identity “${name}” was closed before its backup was done; try again in a moment.`, {cause, retryable: true},
);

/** The journal opens again by itself. */
const haltOf = (identity: LocalIdentity, cause: unknown): UnavailableError | null => {
	const {ready, isTemporary, parts} = identity.readiness();
	return ready || parts.journal === 'ok' ? null : new UnavailableError(
		`There is no backup while the journal cannot be written: ${parts.journal}`, {cause, retryable: isTemporary},
	);
};

const listOf = async (journals: Journals, live: readonly string[], after: string | null, limit: number): Promise<IdentityInfo[]> => {
	const names = new Set(live);
	return (await journals.list({after, limit})).map(name => ({name, isLive: names.has(name)}));
};

/** The identities in memory, and the work that is due for the others. */
const createLive = ({fleet, ...options}: LiveIdentitiesOptions & {fleet: FolderFleet | null}) => {
	const loops = new DueTimes(options.time);
	const live = new LiveIdentities({
		...options,
		async open(name) {
			const identity = await options.open(name);
			const dueMs = loops.remove(name);
			if (dueMs !== null) {
				identity.actor.send({type: 'daemon.resume', dueMs});
			}

			fleet?.follow(name, identity);
			return identity;
		},
		onEvict(name, identity) {
			fleet?.leave(name, identity);
			const dueMs = identity.untilCycle();
			if (dueMs !== null) {
				loops.add(name, dueMs);
			}
		},
	});
	const open = (name: string) => live.get(name);
	const runners = [
		new DueRunner({...options, ...nextCycle, queue: loops, open}), ...fleet ? [new DueRunner({...options, ...fleet.due, open})] : [],
	];
	for (const runner of runners) {
		runner.wake();
	}

	const close = async () => Promise.all(runners.map(async runner => runner.close()));
	return {
		live,
		loops,
		async drain() {
			await close();
			await live.drain();
			await fleet?.rows.write();
		},
		async dispose() {
			await close();
			await fleet?.close();
			await live.dispose();
		},
	};
};

/** Puts aside what an earlier version left of an interrupted creation. @throws {ConflictError} if the identity has begun */
const requireUnbegun = async (journals: Journals, name: string): Promise<void> => {
	if (journals.has(name)) {
		await whileOpen(requireNew(journals.for(name), name), async () => {});
		await journals.putAside(name);
	}
};

/** Returns a function that runs a creation. It throws {@link ConflictError} if there are `maxIdentities` already. */
const limitCreations = (journals: Journals, maxIdentities: number): ((create: () => Promise<void>) => Promise<void>) => {
	let creating = 0;
	return async create => {
		creating++;
		try {
			if (await journals.count() + creating > maxIdentities) {
				throw fullError(maxIdentities);
			}

			await create();
		} finally {
			creating--;
		}
	};
};
