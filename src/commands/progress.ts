/** How far a model's download is: a bar per file for a person at a terminal, a log line per tenth otherwise. */
import {MultiBar, Presets, type SingleBar} from 'cli-progress';
import type {Logger} from 'pino';
import type {DownloadProgress} from '../embedding/text-model.ts';

type Show = (progress: DownloadProgress) => void;

export const showDownloads = (logger: Logger, terminal: boolean): Show => terminal ? asBars() : asLines(logger);

const asBars = (): Show => {
	const bars = new MultiBar({format: '{filename} {bar} {percentage} %', clearOnComplete: true, hideCursor: true}, Presets.shades_grey);
	const byFile = new Map<string, SingleBar>();
	return ({file, loaded, total}) => {
		let bar = byFile.get(file);
		if (!bar) {
			bar = bars.create(total, 0, {filename: file});
			byFile.set(file, bar);
		}

		bar.update(loaded);
		if (loaded >= total) {
			bars.remove(bar);
		}
	};
};

const asLines = (logger: Logger): Show => {
	const told = new Map<string, number>();
	return ({file, loaded, total}) => {
		const tenths = Math.floor(loaded / total * 10);
		if (tenths > (told.get(file) ?? -1)) {
			told.set(file, tenths);
			logger.info({file, loaded, total}, `downloading ${file}: ${tenths * 10} %`);
		}
	};
};
