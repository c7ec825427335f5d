/** The file of tokens: one line of JSON per token, with its hash and its rights. */
import {createHash, randomBytes} from 'node:crypto';
import {fstatSync, fsyncSync, ftruncateSync, readFileSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {requireTokens} from '../http/caller.ts';
import type {AccessToken} from '../http/http-options.ts';
import {ConfigurationError, orUndoNow, reasonOf, withErrors} from '../platform/errors.ts';
import {ifExists, withFile} from '../platform/files/folders.ts';
import type {Given} from './setting-options.ts';
import type {Settings} from './settings.ts';

/** Null if there is no file. @throws {ConfigurationError} if it cannot be read or is not a file of tokens */
const readFile = (file: string): readonly AccessToken[] | null => withErrors(() => {
	const lines = ifExists(() => readFileSync(file, 'utf8').split('\n').filter(line => line.trim() !== ''));
	return lines && requireTokens(lines.map(line => JSON.parse(line) as unknown));
}, error => new ConfigurationError(`TOKENS_FILE is ${path.resolve(file)}, which cannot be used: ${reasonOf(error)}`, {cause: error}));

/** The tokens of the settings. @throws {ConfigurationError} for a missing or invalid file, and without `AUTH_TOKEN` */
export const readTokens = ({TOKENS_FILE: file, AUTH_TOKEN}: Settings): readonly AccessToken[] => {
	if (file !== undefined && AUTH_TOKEN === undefined) {
		throw new ConfigurationError('TOKENS_FILE needs an AUTH_TOKEN, with which the commands of this machine reach the service.');
	}

	const tokens = file === undefined ? [] : readFile(file);
	if (tokens === null) {
		throw new ConfigurationError(`TOKENS_FILE is ${path.resolve(file!)}, which does not exist. “processual token” creates it.`);
	}

	return tokens;
};

/** Adds a token's hash to the file, which only its owner may read. @returns the token, which is stored nowhere */
export const addToken = ({TOKENS_FILE: file}: Settings, {name, rights, source, identities}: Given): string => {
	if (file === undefined) {
		throw new ConfigurationError('Name the file of tokens: TOKENS_FILE, or --tokens-file.');
	}

	const token = `ps_${randomBytes(32).toString('base64url')}`;
	// JSON leaves out undefined fields.
	const line = JSON.stringify({name, rights, source, identities, sha256: createHash('sha256').update(token).digest('hex')});
	requireTokens([...readFile(file) ?? [], JSON.parse(line) as unknown]);
	appendLine(file, line);
	return token;
};

/** Appends in place: the file may be a link, or readable by a group. @throws the file system's error; the file is then unchanged */
const appendLine = (file: string, line: string): void => {
	withFile(file, 'a+', descriptor => {
		const {size} = fstatSync(descriptor);
		// A file that was edited by hand may lack the last line break.
		const end = /[^\n]$/.test(readFileSync(descriptor, 'utf8')) ? '\n' : '';
		orUndoNow(() => {
			writeFileSync(descriptor, `${end}${line}\n`);
			fsyncSync(descriptor);
		}, () => ftruncateSync(descriptor, size));
	});
};
