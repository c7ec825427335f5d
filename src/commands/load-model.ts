/** Loads the configured embedding model, and shows the progress of a download on the error stream: the output is the command's answer. */
import type {LoadedEncoder} from '../embedding/encoder.ts';
import {loadEncoder} from '../embedding/load-encoder.ts';
import {createLogger} from './logging.ts';
import {toEmbeddingOptions} from './options.ts';
import {showDownloads} from './progress.ts';
import type {Settings} from './settings.ts';

export const loadModel = async (settings: Settings): Promise<LoadedEncoder> => {
	const {isTTY} = process.stderr;
	return loadEncoder(toEmbeddingOptions(settings), {onProgress: showDownloads(createLogger(settings.LOG_LEVEL, isTTY, 2), isTTY)});
};
