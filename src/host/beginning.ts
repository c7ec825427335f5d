/**
 * How identities begin. The journal knows whether an identity is new or continues: a mistyped name begins none, and a
 * taken name begins no second one.
 */
import {readyContext} from '../actors/process-context.ts';
import type {LocalIdentity} from '../identity/identity.ts';
import {ConflictError, orUndo, UnknownIdentityError} from '../platform/errors.ts';
import {nameOf} from '../platform/option-names.ts';
import {forwardedJournal, type Genesis, type Journal, type RestoredJournal} from '../journal/journal.ts';
import type {Beginning} from './host.ts';

export const unknownError = (name: string): UnknownIdentityError =>
	new UnknownIdentityError(`There is no identity “${name}”. Create it first.`);

export const defaultError = (name: string): ConflictError =>
	new ConflictError(`“${name}” is the identity for requests that name none, so it cannot be put aside. `
		+ `Set ${nameOf('host.defaultName')} to another one first.`);

export const takenError = (name: string): ConflictError => new ConflictError(`The identity “${name}” already exists.`);

/** A name takes space for good: an identity that is put aside is not erased. */
export const fullError = (maxIdentities: number): ConflictError => new ConflictError(
	`There are already ${maxIdentities} identities, including those put aside, and no more can be created. Raise `
	+ `${nameOf('host.maxIdentities')}, or remove identities that were put aside and are no longer needed.`,
);

/** The journal of an identity that exists. If it is new, `open` closes it again and throws {@link UnknownIdentityError}. */
export const requireBegun = (journal: Journal, name: string): Journal => openedThen(journal, restored => {
	if (!restored) {
		throw unknownError(name);
	}

	return restored;
});

/** The journal of an identity that begins. If it has begun, `open` closes it again and throws {@link ConflictError}. */
export const requireNew = (journal: Journal, name: string): Journal => openedThen(journal, restored => {
	if (restored) {
		throw takenError(name);
	}

	return null;
});

type Restored = RestoredJournal | null;

/** A journal whose `open` changes or rejects what was restored. If it rejects, the journal is closed again. */
export const openedThen = (journal: Journal, adjust: (restored: Restored) => Restored | Promise<Restored>): Journal => ({
	...forwardedJournal(() => journal),
	digests: journal.digests,
	async open() {
		const restored = await journal.open();
		return orUndo(async () => adjust(restored), async () => journal.close());
	},
});

/** What a copy of an identity begins with: the present state and the present reference. */
export const genesisOf = ({actor}: LocalIdentity): Genesis => {
	const {state, boot: {reference, passport, isRandom}} = readyContext(actor.getSnapshot().context);
	return {initial: state, reference, passport, isRandom};
};

/** Opens a journal for some work. */
export const whileOpen = async <Result>(journal: Journal, work: () => Promise<Result>): Promise<Result> => {
	await journal.open();
	try {
		return await work();
	} finally {
		await journal.close();
	}
};

/** Opens an identity over its journal; a new one begins with the state, if there is one. Resolves when it is ready. */
export type Open = (name: string, journal: Journal, beginning?: Pick<Beginning, 'state'>) => Promise<LocalIdentity>;

/** Begins a new identity and closes it. @param genesis What it begins with; null for the state, or what the sources say. */
export const beginNew = async (
	open: Open, name: string, journal: Journal, genesis: Genesis | null, state: Beginning['state'],
): Promise<void> => genesis
	? whileOpen(journal, async () => journal.begin(genesis))
	: (await open(name, journal, {...(state && {state})})).dispose();
