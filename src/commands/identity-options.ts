/** The settings as the options of an identity, but for its encoder and its sources: for the service and for the MCP server. */
import type {IdentityOptions} from '../identity/options.ts';
import {selectKernel} from '../kernel/select.ts';
import {openJournalOf} from './open-journal.ts';
import {toJournalOptions, toLoopConfig, toQuestions, toWatchOptions, type Heard} from './options.ts';
import type {Settings} from './settings.ts';

export const toIdentityOptions = (settings: Settings, heard: Heard = {}) => ({
	journal: async () => openJournalOf(settings, toJournalOptions(settings, heard)),
	loop: toLoopConfig(settings),
	...toWatchOptions(settings),
	maxPendingCycles: settings.QUEUE_LIMIT,
	maxPendingBytes: settings.QUEUE_BYTES,
	maxPendingTranslations: settings.TRANSLATE_LIMIT,
	questions: toQuestions(settings),
	kernel: selectKernel(settings.KERNEL),
} satisfies IdentityOptions);
