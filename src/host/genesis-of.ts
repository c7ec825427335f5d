/** What a copy of an identity begins with, and its beginning. */
import {readyContext} from '../actors/process-context.ts';
import type {LocalIdentity} from '../identity/identity.ts';
import type {Genesis, Journal} from '../journal/journal.ts';

/** The present state as a beginning, with the reference that the identity has now. */
export const genesisOf = ({actor}: LocalIdentity): Genesis => {
	const {state, boot: {reference, passport, isRandom}} = readyContext(actor.getSnapshot().context);
	return {initial: state, reference, passport, isRandom};
};

/** Begins a new journal with it. */
export const beginWith = async (journal: Journal, genesis: Genesis): Promise<void> => {
	await journal.open();
	try {
		await journal.begin(genesis);
	} finally {
		await journal.close();
	}
};
