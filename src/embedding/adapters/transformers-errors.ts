/** Why transformers.js could not load a model, in words that help: the library's own speak of its insides. */
import {existsSync} from 'node:fs';
import path from 'node:path';
import {reasonOf} from '../../errors.ts';
import {connectionTrouble, isConnectionTrouble} from './connection-errors.ts';
import type {TransformersChoice} from '../model-choice.ts';

/** What every model has, whatever its number format. */
const required = ['config.json', 'tokenizer.json', 'tokenizer_config.json'];

const missingFiles = ({folder, name}: TransformersChoice): string =>
	required.filter(file => !existsSync(path.resolve(folder, name, file))).join(', ');

/**
 * Without downloads, what is missing is said at once, before the library stumbles over it.
 *
 * @throws {Error} naming the files and the way out
 */
export const checkFiles = (choice: TransformersChoice): void => {
	const missing = missingFiles(choice);
	if (!choice.download && missing) {
		throw new Error(`${path.resolve(choice.folder, choice.name)} lacks ${missing}. ${wayToFiles(choice)}`);
	}
};

const wayToFiles = ({name}: TransformersChoice): string => path.isAbsolute(name)
	? 'Correct EMBEDDING_MODEL, or put the model\'s files there as they lie on the hub.'
	: 'Start without EMBEDDING_OFFLINE=true to have it downloaded, correct EMBEDDING_MODEL, or put the model\'s files there.';

/** What kept a model from loading, and the way out. */
export const explainTrouble = (error: unknown, choice: TransformersChoice): string => {
	const {name, folder, download, hub, dtype} = choice;
	const place = path.resolve(folder, name);
	const reason = reasonOf(error);
	if (isConnectionTrouble(error)) {
		return `${hub ?? 'The hub'} cannot be reached (${connectionTrouble(error)}). Check the network, set EMBEDDING_BASE_URL to a mirror, or load the model from a folder.`;
	}

	const missing = missingFiles(choice);
	if (download && (missing || isMissing(error))) {
		return `${hub ?? 'The hub'} does not give ${missing || `its weights in ${dtype}`} (${reason}). `
			+ 'Correct EMBEDDING_MODEL, set EMBEDDING_DTYPE to a format that is there, or set HF_TOKEN for a gated model.';
	}

	return isMissing(error)
		? `${place} lacks its weights in ${dtype} (${reason}). Set EMBEDDING_DTYPE to a format that is there. ${wayToFiles(choice)}`
		: `Its files in ${place} cannot be used: ${reason} If one is damaged, remove it and fetch it anew; if the model is of a kind that transformers.js does not know, choose another.`;
};

const isMissing = (error: unknown): boolean => (error as Error).name === 'ModelFileNotFoundError';
