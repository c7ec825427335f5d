/**
 * The authority's statements, as texts or vectors (`docs/spec/numerics.md#fixation`): articles, some
 * of them critical, and anchors. Texts are embedded during the boot.
 */
import {readFile} from 'node:fs/promises';
import {Type, type Static} from '../platform/typebox.ts';
import {describeFaults, parseJsonFile} from '../platform/describe-faults.ts';
import type {Encoder} from '../embedding/encoder.ts';
import {ConfigurationError, reasonOf, withErrors} from '../platform/errors.ts';
import type {Authority} from '../semiosis/fixation.ts';
import {toUnitLength} from '../kernel/normalise.ts';
import {width} from '../kernel/dimensions.ts';
import {nameOf} from '../platform/option-names.ts';

/** A text, or a vector of 1024 finite floats that are not all zero. */
export type Statement = string | Float32Array;

/** The statements before they are embedded. */
export type AuthorityStatements = {
	articles: ReadonlyArray<{statement: Statement; critical: boolean}>;
	anchors: readonly Statement[];
};

/** Options of {@link loadAuthority}; a `Boot` fits. */
export type AuthorityOptions = {
	/** Embeds the texts. */
	encoder: Pick<Encoder, 'embed'>;
	/** Ends the work. @default undefined */
	signal?: AbortSignal;
};

/**
 * Loads the authority, and embeds its texts. They are statements, or a file `{"articles": [{"text": "…", "critical":
 * true}, …], "anchors": ["…", …]}`.
 *
 * @throws {ConfigurationError} for an unusable vector, or a file that cannot be read or has wrong entries. The
 * encoder's errors pass through.
 *
 * @example
 * ```ts
 * import {createIdentity} from 'processual-state';
 * import {loadAuthority} from 'processual-state/sources';
 *
 * const statements = {articles: [{statement: 'I do not deceive.', critical: true}], anchors: ['I listen before I answer.']};
 * export const identity = createIdentity({authority: async boot => loadAuthority(statements, boot)});
 * ```
 */
export const loadAuthority = async (given: AuthorityStatements | string, {encoder, signal}: AuthorityOptions): Promise<Authority> => {
	const {articles, anchors} = typeof given === 'string' ? await readAuthority(given) : given;
	const embed = async (statement: Statement): Promise<Float32Array> =>
		typeof statement === 'string' ? encoder.embed(statement, signal) : requireUsable(statement);
	return {
		articles: await Promise.all(articles.map(async ({statement, critical}) => ({vector: await embed(statement), critical}))),
		anchors: await Promise.all(anchors.map(embed)),
	};
};

const requireUsable = (vector: Float32Array): Float32Array => {
	if (vector.length !== width || !vector.every(Number.isFinite) || !vector.some(Boolean)) {
		throw new ConfigurationError(`A vector of the authority needs ${width} finite floats that are not all zero; `
			+ `this one has ${vector.length} floats. Give a text or another vector.`);
	}

	return toUnitLength(vector);
};

const Text = Type.String({pattern: String.raw`\S`});

const AuthorityFile = Type.Object({
	articles: Type.Array(Type.Object({text: Text, critical: Type.Optional(Type.Boolean())})),
	anchors: Type.Optional(Type.Array(Text)),
});

/** The statements of a file. @throws {ConfigurationError} naming the wrong entries */
const readAuthority = async (file: string): Promise<AuthorityStatements> => {
	const content = await withErrors(async () => parseJsonFile(await readFile(file)), cause => new ConfigurationError(
		`The authority file ${file} cannot be read (${reasonOf(cause)}). Correct ${nameOf('authority.file')} or the file.`, {cause},
	));
	const faults = describeFaults(AuthorityFile, content);
	if (faults.length > 0) {
		throw new ConfigurationError(`The authority file ${file} is wrong: ${faults.join('; ')}. `
			+ 'It needs the form {"articles": [{"text": "…", "critical": true}], "anchors": ["…"]}.');
	}

	const {articles, anchors = []} = content as Static<typeof AuthorityFile>;
	return {articles: articles.map(({text, critical = false}) => ({statement: text, critical})), anchors};
};
