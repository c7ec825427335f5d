/**
 * What authority holds to be true, as texts or vectors (`docs/spec/numerics.md#fixation`): articles,
 * some of them critical, and anchors. A text is embedded when the process starts.
 */
import {readFile} from 'node:fs/promises';
import {Type} from 'typebox';
import {Value} from 'typebox/value';
import type {Encoder} from '../embedding/encoder.ts';
import {ConfigurationError, reasonOf} from '../errors.ts';
import type {Authority} from '../semiosis/fixation.ts';
import {toUnitLength} from '../tensor/normalise.ts';
import {width} from '../tensor/dimensions.ts';

/** A text, or a vector of 1024 floats of any length but zero. */
export type Statement = string | Float32Array;

/** What authority holds to be true, before it is embedded. */
export type AuthorityStatements = {
	articles: ReadonlyArray<{statement: Statement; critical: boolean}>;
	anchors: readonly Statement[];
};

/** @throws {ConfigurationError} for a vector that is not 1024 finite floats with a direction; whatever the encoder throws. */
export const loadAuthority = async ({articles, anchors}: AuthorityStatements, encoder: Encoder, signal?: AbortSignal): Promise<Authority> => {
	const vectorOf = async (statement: Statement): Promise<Float32Array> => typeof statement === 'string' ? encoder.embed(statement, signal) : usable(statement);
	return {
		articles: await Promise.all(articles.map(async ({statement, critical}) => ({vector: await vectorOf(statement), critical}))),
		anchors: await Promise.all(anchors.map(vectorOf)),
	};
};

const usable = (vector: Float32Array): Float32Array => {
	if (vector.length !== width || !vector.every(Number.isFinite) || !vector.some(Boolean)) {
		throw new ConfigurationError(`A statement of authority is a vector of ${vector.length} components that is not ${width} finite floats with some length. Give its text, or another vector.`);
	}

	return toUnitLength(vector);
};

const Text = Type.String({pattern: String.raw`\S`});

const AuthorityFile = Type.Object({
	articles: Type.Array(Type.Object({text: Text, critical: Type.Optional(Type.Boolean())})),
	anchors: Type.Optional(Type.Array(Text)),
});

/**
 * Reads `{"articles": [{"text": "…", "critical": true}, …], "anchors": ["…", …]}`.
 *
 * @throws {ConfigurationError} naming each wrong entry.
 */
export const readAuthority = async (file: string): Promise<AuthorityStatements> => {
	let content: unknown;
	try {
		content = JSON.parse(await readFile(file, 'utf8'));
	} catch (error) {
		throw new ConfigurationError(`The authority's file ${file} cannot be read (${reasonOf(error)}). Correct AUTHORITY_FILE or the file.`, {cause: error});
	}

	if (!Value.Check(AuthorityFile, content)) {
		const faults = Value.Errors(AuthorityFile, content).map(({instancePath, message}) => `${instancePath.slice(1).replaceAll('/', '.') || 'it'} ${message}`);
		throw new ConfigurationError(`The authority's file ${file} is wrong: ${faults.join('; ')}. It has the form {"articles": [{"text": "…", "critical": true}], "anchors": ["…"]}.`);
	}

	const {articles, anchors = []} = content;
	return {articles: articles.map(({text, critical = false}) => ({statement: text, critical})), anchors};
};
