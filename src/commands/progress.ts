/** Shows the progress of long work: bars at a terminal, log lines elsewhere. */
import {MultiBar, Presets, SingleBar} from 'cli-progress';
import type {Logger} from 'pino';
import type {DownloadProgress, LoadedEncoder} from '../embedding/encoder.ts';
import {loadEncoder} from '../embedding/load-encoder.ts';
import {sharingWorkers} from '../embedding/model-choice.ts';
import {languagesOf} from '../embedding/use-lite/identifier.ts';
import {createLogger} from './logging.ts';
import {toEmbeddingOptions} from './options.ts';
import type {Settings} from './settings.ts';

/** The number of updates from which the remaining time is estimated. Texts come in bursts, so ten updates do not show the pace. */
const etaBuffer = 1000;

/** Columns for the words and numbers beside a bar. */
const besideBar = 40;

/** The width of a bar. @param columns The terminal's: a longer line would be cut, and would lose the numbers at its end. */
export const sizeBar = (columns: number | undefined): number => Math.max(5, Math.min(40, (columns || 80) - besideBar));

/** The remaining time. @param seconds Before it is known 0, or a word. */
export const describeRemaining = (seconds: number | string): string => {
	if (typeof seconds === 'string' || seconds === 0) {
		return '';
	}

	return seconds < 100 ? `, ${seconds} s` : `, ${Math.round(seconds / 60)} min`;
};

/** Whether the terminal, such as Emacs's, cannot redraw a line: it would show the control sequences as letters. */
const isDumb = (): boolean => process.env['TERM'] === 'dumb';

/** A bar on standard error that appears with its first update; disposal stops it. */
export const createProgressBar = (unit: string, work = 'embedding') => {
	if (isDumb()) {
		return {update() {}, stop() {}, [Symbol.dispose]() {}};
	}

	const bar = new SingleBar({
		format: `${work} {bar} {value}/{total} ${unit}{eta_formatted}`,
		formatTime: describeRemaining,
		etaBuffer,
		barsize: sizeBar(process.stderr.columns),
		// The library cuts long lines. Otherwise it would turn off wrapping, and Ctrl-C would leave the terminal so.
		linewrap: true,
	}, Presets.shades_grey);
	return {
		/** @param words Values for the placeholders in `work`. */
		update(done: number, total: number, words: object = {}) {
			if (!bar.isActive) {
				bar.start(total, 0, words);
			}

			bar.setTotal(total);
			bar.update(done, words);
		},
		stop: () => bar.stop(),
		[Symbol.dispose]: () => bar.stop(),
	};
};

type Show = (progress: DownloadProgress) => void;

/** Loads a model, and shows its downloads: a bar per file at a terminal, else a log line per 10 %. */
export const showingDownloads = async <Loaded>(
	logger: Logger, isTerminal: boolean, load: (onProgress: Show) => Promise<Loaded>,
): Promise<Loaded> => {
	if (!isTerminal || isDumb()) {
		return load(createLines(logger));
	}

	const bars = new MultiBar({format: '{filename} {bar} {percentage} %', clearOnComplete: true, linewrap: true}, Presets.shades_grey);
	const byFile = new Map<string, SingleBar>();
	try {
		return await load(({file, loaded, total}) => {
			const bar = byFile.get(file) ?? bars.create(total, 0, {filename: file});
			byFile.set(file, bar);
			bar.update(loaded);
			if (loaded >= total) {
				bars.remove(bar);
			}
		});
	} finally {
		// Its timer would keep the program running.
		if (byFile.size > 0) {
			bars.stop();
		}
	}
};

const createLines = (logger: Logger): Show => {
	const logged = new Map<string, number>();
	return ({file, loaded, total}) => {
		const tenths = Math.floor(loaded / total * 10);
		if (tenths > (logged.get(file) ?? -1)) {
			logged.set(file, tenths);
			logger.info({file, loaded, total}, `downloading ${file}: ${tenths * 10} %`);
		}
	};
};

/**
 * Loads the configured embedding model, and shows a download on standard error: standard output is for the command's answer.
 * A command's user waits for its vectors, so a bundled model gets all cores. The caller disposes of the model.
 */
export const loadModel = async (settings: Settings): Promise<LoadedEncoder & AsyncDisposable> => {
	const {isTTY} = process.stderr;
	const workers = settings.EMBEDDING_WORKERS ?? (languagesOf(settings.EMBEDDING_MODEL) && sharingWorkers(0));
	const encoder = await showingDownloads(createLogger(settings.LOG_LEVEL, isTTY, 2), isTTY, async onProgress =>
		loadEncoder({...toEmbeddingOptions(settings), workers}, {onProgress}));
	return Object.assign(encoder, {[Symbol.asyncDispose]: async () => encoder.dispose()});
};
