/**
 * Many identities in one program, whose journals are in one folder of this machine. A name begins an
 * identity only by `create`; the default one begins at its first request.
 */
import {ConflictError} from '../errors.ts';
import {requireIdentityName} from '../identity-name.ts';
import type {LocalIdentity} from '../identity/identity.ts';
import type {Genesis, Journal} from '../journal/journal.ts';
import type {Journals} from '../journal/sqlite/journals.ts';
import {withSignal} from '../with-signal.ts';
import {genesisOf} from './genesis-of.ts';
import {requireBegun, requireNew, takenError, unknownError} from './guarded-journal.ts';
import type {Beginning, Host, IdentityInfo, Placement} from './host.ts';
import {LiveIdentities, type LiveIdentitiesOptions} from './live-identities.ts';

/** What an embedded host is made of. */
export type EmbeddedHostOptions = Omit<LiveIdentitiesOptions, 'open' | 'kept'> & {
	defaultName: string;
	/** Closed at the end of the host. */
	journals: Journals;
	/** Opens an identity over its journal; a new one begins with the state, where there is one. Resolves when it is ready. */
	open(name: string, journal: Journal, beginning?: Pick<Beginning, 'state'>): Promise<LocalIdentity>;
};

/** Many identities in one program. */
export const createEmbeddedHost = ({defaultName, journals, open, ...options}: EmbeddedHostOptions): Host => {
	const live = new LiveIdentities({
		...options,
		kept: defaultName,
		async open(name) {
			// It may have been put aside since it was asked for: opening its journal would make another.
			requireKnown(name);
			return open(name, name === defaultName ? journals.for(name) : requireBegun(journals.for(name), name));
		},
	});

	/** @throws {UnknownIdentityError} */
	const requireKnown = (name: string): void => {
		if (name !== defaultName && !journals.has(requireIdentityName(name))) {
			throw unknownError(name);
		}
	};

	const place = (name: string, signal?: AbortSignal): Placement | Promise<Placement> => {
		const here = live.find(name);
		return here ? {here} : openPlace(name, signal);
	};

	const openPlace = async (name: string, signal: AbortSignal | undefined): Promise<Placement> => {
		requireKnown(name);
		return {here: await withSignal(Promise.resolve(live.get(name)), signal)};
	};

	const copyOf = async (name: string): Promise<Genesis> => {
		requireKnown(name);
		return genesisOf(await live.get(name));
	};

	const begin = async (name: string, {state}: Beginning): Promise<void> => {
		const identity = await open(name, requireNew(journals.for(name), name), {...(state && {state})});
		await identity.dispose();
	};

	const beginWith = async (name: string, genesis: Genesis): Promise<void> => {
		const journal = requireNew(journals.for(name), name);
		await journal.open();
		try {
			await journal.begin(genesis);
		} finally {
			await journal.close();
		}
	};

	return {
		defaultName,
		place,

		async create(name, beginning = {}) {
			requireIdentityName(name);
			const genesis = beginning.copyOf === undefined ? null : await copyOf(beginning.copyOf);
			if (live.find(name)) {
				throw takenError(name);
			}

			await live.close(name, async () => live.withPlace(async () => genesis ? beginWith(name, genesis) : begin(name, beginning)));
		},

		async putAside(name) {
			requireKnown(name);
			if (name === defaultName) {
				throw new ConflictError(`“${name}” is the identity that requests without a name mean, so it stays. Set host.defaultName to another one first.`);
			}

			await live.close(name, async () => {
				await journals.putAside(name);
			});
		},

		async list(after, limit): Promise<IdentityInfo[]> {
			const names = new Set(live.names());
			return (await journals.list({after, limit})).map(name => ({name, isLive: names.has(name)}));
		},

		drain: async () => live.drain(),
		async [Symbol.asyncDispose]() {
			await live.dispose();
			await journals.close();
		},
	};
};
