/** `processual reembed`: rebuilds the journal under the configured embedding model. */
import {selectKernel} from '../kernel/select.ts';
import type {LoadedEncoder} from '../embedding/encoder.ts';
import {loadModel} from './load-model.ts';
import {requireFiles} from './open-journal.ts';
import {openSources} from './open-sources.ts';
import {toJournalFolder} from './options.ts';
import {createProgressBar} from './progress.ts';
import {reembedJournal} from './reembed-journal.ts';
import type {Settings} from './settings.ts';

export const reembed = async (settings: Settings, isTerminal: boolean): Promise<void> => {
	requireFiles(settings, 'reembed');
	const {store, authority, corroborate} = openSources(settings);
	const bar = createProgressBar('records');
	const {signal} = new AbortController();
	let encoder: LoadedEncoder | null = null;
	try {
		encoder = await loadModel(settings, isTerminal);
		const {cycles, stateId, oldFolder} = await reembedJournal({
			folder: toJournalFolder(settings),
			encoder,
			kernel: selectKernel(settings.KERNEL),
			authority: await authority({encoder, signal}),
			corroborate: corroborate && (async vector => corroborate(vector, signal)),
			onProgress: bar.update,
		});
		bar.stop();
		process.stdout.write(`${cycles} cycles were run again with ${encoder.passport.model}; the state has id ${stateId}. The old journal is kept in ${oldFolder}.\n`);
	} finally {
		bar.stop();
		await encoder?.dispose();
		await store.close();
	}
};
