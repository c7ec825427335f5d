/** The service whose identity a command asks, and the connection to it. */
import {ClientError} from '../client/client-error.ts';
import {connectIdentity, type ConnectOptions} from '../client/connect-identity.ts';
import {toIdentityError} from '../client/identity-events.ts';
import type {Identity} from '../identity/identity.ts';
import {ConfigurationError, InputError, UnavailableError, withErrors} from '../platform/errors.ts';
import {defaultIdentityName} from '../platform/identity-name.ts';
import type {Settings} from './settings.ts';

export type Service = Pick<ConnectOptions, 'baseUrl' | 'identity' | 'token'> & {
	tokenSetting: 'AUTH_TOKEN' | 'PROCESSUAL_TOKEN';
};

/** The default name is left out: the service then chooses its default identity. */
export const toServiceElsewhere = ({IDENTITY, PROCESSUAL_TOKEN: token}: Settings, baseUrl: string): Service =>
	({baseUrl, identity: IDENTITY === defaultIdentityName ? undefined : IDENTITY, token, tokenSetting: 'PROCESSUAL_TOKEN'});

/** A service with the data of these settings. Its default identity may differ from the command's, so the name is always sent. */
export const toServiceHere = (
	{IDENTITY: identity, AUTH_TOKEN, SELF_TOKEN}: Settings, baseUrl: string,
): Service => ({baseUrl, identity, token: SELF_TOKEN ?? AUTH_TOKEN, tokenSetting: 'AUTH_TOKEN'});

export const connectTo = ({baseUrl, identity, token}: Service, {SHUTDOWN_SECONDS}: Settings): Identity =>
	connectIdentity({baseUrl, identity, token, drainTimeoutMs: SHUTDOWN_SECONDS * 1000});

/** The error for a token that the service refuses. It names the token's setting. */
const wantsToken = ({baseUrl, tokenSetting}: Pick<Service, 'baseUrl' | 'tokenSetting'>, cause?: unknown): ConfigurationError =>
	new ConfigurationError(`The service at ${baseUrl} requires a token: set ${tokenSetting}.`, {cause});

/** Drops the part of the request (its body or query) from each fault: the user knows only the field, or an option of that name. */
const withoutPart = (error: unknown, {body: {detail}}: ClientError): unknown => typeof detail === 'string'
	? error
	: new InputError(
		detail.map(({loc, msg}) => [...loc.length > 1 ? [loc.slice(1).join('.')] : [], msg].join(': ')).join('; '), {cause: error},
	);

/** Advice. A local service's address may belong to another host: two containers can share a folder, but not the loopback interface. */
const wayTo = ({tokenSetting}: Service): string => tokenSetting === 'PROCESSUAL_TOKEN'
	? 'Start it with processual serve, or correct the address.'
	: 'This is the address that the service gave. If it runs in another container or on another machine, run the command there, or '
		+ 'set PROCESSUAL_URL to an address at which it can be reached from here.';

/** Sends a request to a service without a connection to its identity. @throws errors worded for the command line */
export const askService = async <Answer>(service: Service, send: () => Promise<Answer>): Promise<Answer> =>
	withErrors(send, error => inOwnWords(toIdentityError(error, String(service.baseUrl)), service));

/** Words a service's error for the command line: with the token's setting, and with advice if the service cannot be reached. */
export const inOwnWords = (error: unknown, service: Service): unknown => {
	const cause = error instanceof Error ? error.cause : undefined;
	if (!(cause instanceof ClientError)) {
		return error instanceof UnavailableError && error.retryable
			? new UnavailableError(`${error.message} ${wayTo(service)}`, {cause, retryable: true})
			: error;
	}

	return cause.status === 401 && error instanceof ConfigurationError ? wantsToken(service, error) : withoutPart(error, cause);
};

/** The same identity, with errors worded for the command line, whose user does not see the request. */
export const speakingOwnWords = (identity: Identity, service: Service): Identity => new Proxy(identity, {
	get(target, name) {
		const value: unknown = Reflect.get(target, name);
		return typeof value !== 'function' ? value : (...given: unknown[]): unknown =>
			withErrors(() => Reflect.apply(value, target, given) as unknown, error => inOwnWords(error, service));
	},
});
