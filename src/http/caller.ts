/** The caller of a request, known by its token, and the token's rights. */
import type {Context} from 'koa';
import {describeFaults} from '../platform/describe-faults.ts';
import {ConfigurationError} from '../platform/errors.ts';
import {Type} from '../platform/typebox.ts';
import type {AccessToken} from './http-options.ts';
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
