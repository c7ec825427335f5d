/**
 * The caller of a request, known by its token, and the token's rights. If the operator has set a token, everything except
 * probes and pages needs one.
 */
import {createHash, timingSafeEqual} from 'node:crypto';
import type {Context, Middleware} from 'koa';
import {ownSource} from '../instruments/source-of.ts';
import {describeFaults} from '../platform/describe-faults.ts';
import {ConfigurationError} from '../platform/errors.ts';
import {isHeaderSafe} from '../platform/server-access.ts';
import {Type} from '../platform/typebox.ts';
import type {AccessToken, HttpOptions} from './http-options.ts';
import {RequestError} from './request-error.ts';
import type {Operation} from './routes/route.ts';

/** `read` allows requests that change nothing, `speak` allows sending texts, `operate` allows everything. */
export const rights = ['read', 'speak', 'operate'] as const;

export type Right = typeof rights[number];

/** The holder of a token. Nodes send it along with forwarded requests. */
export type Caller = {
	/** Identifies the token without revealing it. Recorded as the author of a decision that names none. */
	readonly hint: string;
	readonly rights: readonly Right[];
	/** The identities that it may use; null for all. */
	readonly identities: readonly string[] | null;
	/** The only source that its texts may have; null for any. */
	readonly source: string | null;
	/** Whether it is the agent's: its texts may have the source `self` even if that is reserved. */
	readonly isAgent: boolean;
};

/** The caller of a request; null if it needed no token. */
export const callerOf = ({state}: Pick<Context, 'state'>): Caller | null => (state as {caller?: Caller}).caller ?? null;

export const noteCaller = (ctx: Pick<Context, 'state'>, caller: Caller): void => {
	ctx.state['caller'] = caller;
};

/** The right that an operation needs. Unless it declares one, a GET needs `read` and any other method `operate`. */
export const rightOf = ({method, right}: Pick<Operation, 'method' | 'right'>): Right => right ?? (method === 'GET' ? 'read' : 'operate');

/** @param right Null if every token has it. @throws {RequestError} (403) if the token lacks the right */
export const requireRight = (ctx: Context, right: Right | null): void => {
	const caller = callerOf(ctx);
	if (caller && right !== null && !caller.rights.includes('operate') && !caller.rights.includes(right)) {
		throw new RequestError(403, `This token may ${caller.rights.join(' and ')}; this needs one that may ${right}.`);
	}
};

/** @param name Null if the request concerns all identities. @throws {RequestError} (403) if the token is not for the identity */
export const requireIdentity = (ctx: Context, name: string | null): void => {
	const {identities = null} = callerOf(ctx) ?? {};
	if (identities !== null && (name === null || !identities.includes(name))) {
		throw new RequestError(403, `This token is only for ${identities.join(', ')}.`);
	}
};

const Row = Type.Object({
	name: Type.String({pattern: String.raw`^[\w.-]{1,100}$`, title: 'a name of letters, digits, “.”, “_” and “-”'}),
	sha256: Type.String({pattern: '^[0-9a-f]{64}$', title: 'the SHA-256 of the token, as 64 hexadecimal digits'}),
	rights: Type.Array(Type.Enum([...rights]), {minItems: 1}),
	source: Type.Optional(Type.String({minLength: 1, maxLength: 200})),
	identities: Type.Optional(Type.Array(Type.String({minLength: 1}), {minItems: 1})),
}, {additionalProperties: false});

/** @throws {ConfigurationError} for a row that is not an {@link AccessToken}, or a duplicate name */
export const requireTokens = (tokens: readonly unknown[]): readonly AccessToken[] => {
	for (const [index, row] of tokens.entries()) {
		const faults = describeFaults(Row, row);
		if (faults.length > 0) {
			throw new ConfigurationError(`Token ${index + 1} is wrong: ${faults.join('; ')}.`);
		}
	}

	const checked = tokens as readonly AccessToken[];
	const repeated = checked.find(({name}, index) => checked.findIndex(other => other.name === name) !== index);
	if (repeated) {
		throw new ConfigurationError(`Two tokens have the name ${repeated.name}. Give one of them another name, or remove it.`);
	}

	return checked;
};

/** The digest by which tokens are compared, in constant time: so the time reveals neither the bytes nor the length of a token. */
export const digestToken = (token: string): Buffer => createHash('sha256').update(token).digest();

/** Identifies a token without revealing it. */
const hintOf = (token: string): string => `token ${digestToken(token).toString('hex').slice(-4)}`;

type Known = {readonly digest: Buffer; readonly caller: Caller};

const withAll = (token: string, isAgent: boolean): Known =>
	({digest: digestToken(token), caller: {hint: hintOf(token), rights: ['operate'], identities: null, source: null, isAgent}});

const toKnown = ({sha256, source, identities, ...token}: AccessToken): Known => ({
	digest: Buffer.from(sha256, 'hex'),
	caller: {
		hint: `token ${token.name}`, rights: token.rights, identities: identities ?? null, source: source ?? null,
		isAgent: source === ownSource,
	},
});

/** @throws {ConfigurationError} for a token that no request could carry, and for a wrong row of `tokens` */
const listKnown = ({token, selfToken, tokens = []}: HttpOptions): Known[] => {
	const all = [token, selfToken].filter(each => each !== undefined);
	if (!all.every((each: unknown) => typeof each === 'string' && isHeaderSafe(each))) {
		throw new ConfigurationError('A token must be visible ASCII without blanks: no request can carry another. Choose another one.');
	}

	return [...all.map(each => withAll(each, each === selfToken)), ...requireTokens(tokens).map(toKnown)];
};

/**
 * Requires a token, except for public requests, and stores the caller.
 *
 * @throws {ConfigurationError} for tokens that cannot be used
 */
export const requireToken = (options: HttpOptions, isPublic: (ctx: Context) => boolean): Middleware => {
	const known = listKnown(options);
	return async (ctx, next) => {
		if (!isPublic(ctx)) {
			const [, given = ''] = /^bearer +(\S+)$/i.exec(ctx.get('Authorization')) ?? [];
			// Hashed once, since a stranger's may be long. Compare all, so that the time does not reveal which token it is.
			const digest = digestToken(given);
			const found = known.reduce<Known | null>((match, each) => timingSafeEqual(digest, each.digest) ? each : match, null);
			if (!found) {
				throw new RequestError(401, 'Send the service\'s token as “Authorization: Bearer <token>”.', {'WWW-Authenticate': 'Bearer'});
			}

			noteCaller(ctx, found.caller);
		}

		await next();
	};
};
