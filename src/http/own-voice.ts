/**
 * Decides who may speak as the identity. A name is only a claim, but a text with the source `self` counts as said instead
 * of heard. If the agent's clients have a separate token, all other clients count as others.
 */
import {checkRequest} from '../identity/cycle-request.ts';
import type {Identity} from '../identity/identity.ts';
import type {CycleRequest} from '../identity/views.ts';
import {isOwn, ownSource, readName} from '../instruments/source-of.ts';
import {InputError} from '../platform/errors.ts';
import {nameOf} from '../platform/option-names.ts';
import {callerOf} from './caller.ts';
import type {IdentityOf} from './resolve-identity.ts';

/** Restricts the sources of cycles to those of the request's token. @param isReserved Whether only the agent's token may use `self`. */
export const speakAsCaller = (identityOf: IdentityOf, isReserved: boolean): IdentityOf => async (ctx, isAgain) => {
	const identity = await identityOf(ctx, isAgain);
	const caller = callerOf(ctx);
	const check = caller !== null && caller.source !== null ? asSource(caller.source) : isReserved && !caller?.isAgent ? asOther : null;
	return identity && check ? checking(identity, check) : identity;
};

type Check = (request: CycleRequest) => CycleRequest;

const checking = <Subject extends Identity>(identity: Subject, check: Check): Subject => {
	const cycle: Identity['cycle'] = async (request, options) =>
		identity.cycle(check(typeof request === 'string' ? {content: request} : request), options);
	return {...identity, cycle, say: cycle};
};

const asOther: Check = request => {
	if (isOwn({...checkRequest(request), isHashed: false})) {
		throw new InputError('The source “self”, and rumination, are the agent’s own voice: send such a text with its token '
			+ `(${nameOf('http.selfToken')}).`);
	}

	return request;
};

const asSource = (source: string): Check => request => {
	const given = readName(checkRequest(request).metadata['source']);
	if (given !== null && given !== source) {
		throw new InputError(`The token of this request speaks as “${source}” alone, not as “${given}”.`);
	}

	const named = {...request, source};
	return source === ownSource ? named : asOther(named);
};
