/** Who asks, as the token of a request says it, and what that token may. */
import type {Context} from 'koa';
import {describeFaults} from '../platform/describe-faults.ts';
import {ConfigurationError} from '../platform/errors.ts';
import {Type} from '../platform/typebox.ts';
import type {AccessToken} from './http-options.ts';
import {RequestError} from './request-error.ts';
import type {Operation} from './routes/route.ts';

/** `read` changes nothing, `speak` sends texts, `operate` opens all. */
export const rights = ['read', 'speak', 'operate'] as const;

export type Right = typeof rights[number];

/** A token's holder. Nodes tell each other of it. */
export type Caller = {
	/** Names the token, and does not give it away: who made a decision, where that does not say it. */
	readonly hint: string;
	readonly rights: readonly Right[];
	/** Null for all. */
	readonly identities: readonly string[] | null;
	/** The only source that its texts are of; null for any. */
	readonly source: string | null;
	/** Whether its texts may have the source `self` where only the agent's token may say so. */
	readonly isAgent: boolean;
};

/** Null where no token was needed. */
export const callerOf = ({state}: Pick<Context, 'state'>): Caller | null => (state as {caller?: Caller}).caller ?? null;

export const noteCaller = (ctx: Pick<Context, 'state'>, caller: Caller): void => {
	ctx.state['caller'] = caller;
};

/** What is asked for by another method than GET needs the right to operate, unless it says otherwise. */
export const rightOf = ({method, right}: Pick<Operation, 'method' | 'right'>): Right => right ?? (method === 'GET' ? 'read' : 'operate');

/** @throws {RequestError} (403) where a request's token does not have the right; null is had by all */
export const requireRight = (ctx: Context, right: Right | null): void => {
	const caller = callerOf(ctx);
	if (caller && right !== null && !caller.rights.includes('operate') && !caller.rights.includes(right)) {
		throw new RequestError(403, `This token may ${caller.rights.join(' and ')}; this needs one that may ${right}.`);
	}
};

/** @throws {RequestError} (403) where a request's token is not for the identity; null for what is about all of them */
export const requireIdentity = (ctx: Context, name: string | null): void => {
	const {identities = null} = callerOf(ctx) ?? {};
	if (identities !== null && (name === null || !identities.includes(name))) {
		throw new RequestError(403, `This token is for ${identities.join(', ')} alone.`);
	}
};

const Row = Type.Object({
	name: Type.String({pattern: String.raw`^[\w.-]{1,100}$`, title: 'a name of letters, digits, “.”, “_” and “-”'}),
	sha256: Type.String({pattern: '^[0-9a-f]{64}$', title: 'the SHA-256 of the token, as 64 hexadecimal digits'}),
	rights: Type.Array(Type.Enum([...rights]), {minItems: 1}),
	source: Type.Optional(Type.String({minLength: 1, maxLength: 200})),
	identities: Type.Optional(Type.Array(Type.String({minLength: 1}), {minItems: 1})),
}, {additionalProperties: false});

/** @throws {ConfigurationError} for a row that says something else than {@link AccessToken}, or a name that two have */
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
