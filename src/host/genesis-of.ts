/** What a copy of an identity begins with. */
import {readyContext} from '../actors/process-context.ts';
import type {LocalIdentity} from '../identity/identity.ts';
import type {Genesis} from '../journal/journal.ts';

/** The present state as a beginning, with the reference that the identity has now. */
export const genesisOf = ({actor}: LocalIdentity): Genesis => {
	const {state, boot: {reference, passport, isRandom}} = readyContext(actor.getSnapshot().context);
	return {initial: state, reference, passport, isRandom};
};
