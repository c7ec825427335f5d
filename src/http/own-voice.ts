/**
 * Who may speak as the identity. A name is a claim: a text of the source `self` leaves what is heard, and enters what is said.
 * Where the agent's own clients have a token of their own, the texts of all other clients are those of others.
 */
import type {Context} from 'koa';
import {checkRequest} from '../identity/cycle-request.ts';
import type {Identity} from '../identity/identity.ts';
import {isOwn} from '../instruments/source-of.ts';
import {InputError} from '../platform/errors.ts';
import {nameOf} from '../platform/option-names.ts';
import type {IdentityOf} from './resolve-identity.ts';

/** Notes that a request has the agent's token. */
export const markAgent = (ctx: Context): void => {
	ctx.state['isAgent'] = true;
};

/** Whether a request has the agent's token. */
export const isAgent = (ctx: Pick<Context, 'state'>): boolean => ctx.state['isAgent'] === true;

/** The identity as it is for the agent's clients; for others, one that takes no text as its own. */
export const reserveOwnVoice = (identityOf: IdentityOf): IdentityOf => (ctx, isAgain) => {
	const found = identityOf(ctx, isAgain);
	if (isAgent(ctx)) {
		return found;
	}

	return found instanceof Promise ? found.then(identity => identity && withoutOwnVoice(identity)) : found && withoutOwnVoice(found);
};

const withoutOwnVoice = <Subject extends Identity>(identity: Subject): Subject => {
	const cycle: Identity['cycle'] = async (request, options) => {
		if (isOwn({...checkRequest(request), isHashed: false})) {
			throw new InputError('The source “self”, and rumination, are the agent’s own voice: send such a text with its token '
				+ `(${nameOf('http.selfToken')}).`);
		}

		return identity.cycle(request, options);
	};

	return {...identity, cycle, say: cycle};
};
