/** The service whose identity a command asks, and the connection to it. */
import {ClientError} from '../client/client-error.ts';
import {connectIdentity, type ConnectOptions} from '../client/connect-identity.ts';
import type {Identity} from '../identity/identity.ts';
import {ConfigurationError} from '../platform/errors.ts';
import {defaultIdentityName} from '../platform/identity-name.ts';
import type {Settings} from './settings.ts';

export type Service = Pick<ConnectOptions, 'baseUrl'> & {
	identity: string | undefined;
	token: string | undefined;
	tokenSetting: 'AUTH_TOKEN' | 'PROCESSUAL_TOKEN';
};

/** Without a name, the identity is the one that the service means by default. */
export const toServiceElsewhere = ({IDENTITY, PROCESSUAL_TOKEN: token}: Settings, baseUrl: string): Service =>
	({baseUrl, identity: IDENTITY === defaultIdentityName ? undefined : IDENTITY, token, tokenSetting: 'PROCESSUAL_TOKEN'});

/** A service with the data of these settings: what it means by default may be another identity than the command's. */
export const toServiceHere = (
	{IDENTITY: identity, AUTH_TOKEN, SELF_TOKEN}: Settings, baseUrl: string,
): Service => ({baseUrl, identity, token: SELF_TOKEN ?? AUTH_TOKEN, tokenSetting: 'AUTH_TOKEN'});

export const connectTo = ({baseUrl, identity, token}: Service, {SHUTDOWN_SECONDS}: Settings): Identity =>
	connectIdentity({
		baseUrl, ...(identity !== undefined && {identity}), ...(token !== undefined && {token}),
		drainTimeoutMs: SHUTDOWN_SECONDS * 1000,
	});

/** An error of a service that refuses the token, with the setting that has it. */
export const nameToken = (error: unknown, {baseUrl, tokenSetting}: Service): unknown =>
	error instanceof ConfigurationError && error.cause instanceof ClientError && error.cause.status === 401
		? new ConfigurationError(`The service at ${baseUrl} wants its token: set ${tokenSetting} to it.`, {cause: error})
		: error;
