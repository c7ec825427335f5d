/** The settings as the options of an identity, but for its encoder and its sources: for the service and for the MCP server. */
import type {Logger} from 'pino';
import type {IdentityOptions} from '../identity/options.ts';
import {selectKernel} from '../kernel/select.ts';
import {openJournalOf} from './open-journal.ts';
import {toLoopConfig, toQuestions, toWatchOptions} from './options.ts';
import type {Settings} from './settings.ts';

/** Callbacks of the journal. */
type Heard = {logger?: Logger; onCommit?: (milliseconds: number, records: number) => void};

export const toIdentityOptions = (settings: Settings, {logger, onCommit}: Heard = {}) => ({
	journal: async () => openJournalOf(settings, {
		content: settings.JOURNAL_CONTENT,
		compaction: {keepRecords: settings.JOURNAL_KEEP_RECORDS, keepDays: settings.JOURNAL_KEEP_DAYS},
		...(logger && {logger}),
		...(onCommit && {onCommit}),
	}),
	loop: toLoopConfig(settings),
	...toWatchOptions(settings),
	maxPendingCycles: settings.QUEUE_LIMIT,
	maxPendingBytes: settings.QUEUE_BYTES,
	maxPendingTranslations: settings.TRANSLATE_LIMIT,
	questions: toQuestions(settings),
	kernel: selectKernel(settings.KERNEL),
} satisfies IdentityOptions);
