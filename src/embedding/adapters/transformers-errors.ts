/** Explains why transformers.js could not load a model, and what to do; the library's messages describe its internals. */
import {existsSync} from 'node:fs';
import path from 'node:path';
import {reasonOf} from '../../platform/errors.ts';
import {describeConnectionError, isConnectionError} from '../../platform/bounded-fetch.ts';
import type {TransformersChoice} from '../model-choice.ts';
import {nameOf} from '../../platform/option-names.ts';

/** The files of every model, whatever its number format. */
const required = ['config.json', 'tokenizer.json', 'tokenizer_config.json'];

const missingFiles = ({folder, name}: TransformersChoice): string =>
	required.filter(file => !existsSync(path.resolve(folder, name, file))).join(', ');

/**
 * Checks for missing files when downloads are off, before the library fails without naming them.
 *
 * @throws {Error} naming the files and what to do
 */
export const checkFiles = (choice: TransformersChoice): void => {
	const missing = missingFiles(choice);
	if (!choice.download && missing) {
		throw new Error(`${path.resolve(choice.folder, choice.name)} lacks ${missing}. ${adviseOnFiles(choice)}`);
	}
};

const adviseOnFiles = ({name}: TransformersChoice): string => path.isAbsolute(name)
	? `Correct ${nameOf('encoder.model')}, or put the model's files there in the layout of the hub.`
	: `Start without ${nameOf('encoder.offline')} to have it downloaded, correct ${nameOf('encoder.model')}, or put the model's files there.`;

/** Explains an error of the library, and says what to do. */
export const explainLoadError = (error: unknown, choice: TransformersChoice): string => {
	const {name, folder, download, hub, dtype} = choice;
	const place = path.resolve(folder, name);
	const reason = reasonOf(error);
	if (isConnectionError(error)) {
		return `${hub ?? 'The hub'} cannot be reached (${describeConnectionError(error)}). Check the network, `
			+ `set ${nameOf('encoder.baseUrl')} to a mirror, or load the model from a folder.`;
	}

	const missing = missingFiles(choice);
	if (download && (missing || isMissing(error))) {
		return `${hub ?? 'The hub'} does not serve ${missing || `its weights in ${dtype}`} (${reason}). `
			+ `Correct ${nameOf('encoder.model')}, set ${nameOf('encoder.dtype')} to a format that is there, or set HF_TOKEN for a gated model.`;
	}

	return isMissing(error)
		? `${place} lacks its weights in ${dtype} (${reason}). Set ${nameOf('encoder.dtype')} to a format that is there. `
			+ adviseOnFiles(choice)
		: `The files in ${place} cannot be used: ${reason} Remove a damaged file and download it again. `
			+ 'If transformers.js does not support this kind of model, choose another.';
};

const isMissing = (error: unknown): boolean => (error as Error).name === 'ModelFileNotFoundError';
