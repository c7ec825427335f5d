/** Loads the configured embedding model, and shows the progress of a download. */
import type {LoadedEncoder} from '../embedding/encoder.ts';
import {loadEncoder} from '../embedding/load-encoder.ts';
import {createLogger} from './logging.ts';
import {toEmbeddingOptions} from './options.ts';
import {showDownloads} from './progress.ts';
import type {Settings} from './settings.ts';

export const loadModel = async (settings: Settings, isTerminal: boolean): Promise<LoadedEncoder> =>
	loadEncoder(toEmbeddingOptions(settings), {onProgress: showDownloads(createLogger(settings.LOG_LEVEL, isTerminal), isTerminal)});
