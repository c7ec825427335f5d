/** The options of every persistent journal, and their checks: JavaScript callers may pass anything. */
import {ConfigurationError} from '../platform/errors.ts';
import {ranges, whole, within} from '../platform/ranges.ts';
import {requireKnownNames, type Names} from '../platform/unknown-names.ts';
import type {ContentStorage} from './rows.ts';

/** A record is compacted when neither limit protects it. */
export type Compaction = {
	/** How many of the newest records are never compacted. */
	keepRecords: number;
	/** Records up to this age in days, measured back from the newest record's time, are not compacted either; 0 for no limit. */
	keepDays: number;
	/** How many records one snapshot replaces. */
	snapshotEvery: number;
};

const compactionNames: Names<Compaction> = {keepRecords: true, keepDays: true, snapshotEvery: true};

/** The last record of the next block to compact, if it is old enough; null if `keepRecords` protects it. */
export const nextBlock = (last: number, compacted: number, {keepRecords, snapshotEvery}: Compaction): number | null => {
	const end = compacted + snapshotEvery;
	return end > last - keepRecords ? null : end;
};

const msPerDay = 86_400_000;

/**
 * Whether a record is old, compared with the newest record's time: a wrong clock may delay a block or compact it early,
 * but never a record that `keepRecords` protects. A time that cannot be parsed is not old.
 */
export const isOldBy = (newest: string, timestamp: string, {keepDays}: Compaction): boolean =>
	Date.parse(newest) - Date.parse(timestamp) > keepDays * msPerDay;

/** A logger such as Pino. */
export type JournalLogger = Record<'info' | 'warn' | 'error', (details: object, message: string) => void>;

/** How much of a record is stored, and the callbacks. */
export type JournalOptions = {
	/**
	 * How texts are stored: `hash` stores the SHA-256 of a text and of its metadata instead of
	 * both. The vector is stored either way, and parts of a text can be guessed from it.
	 *
	 * @default 'text'
	 */
	content?: ContentStorage;
	/**
	 * Which records stay complete. Absent limits default to 10 000 records, no age limit, and one snapshot per 100 records.
	 *
	 * @default undefined — no record is compacted
	 */
	compaction?: Partial<Compaction>;
	/** Called when the journal is opened, and with faults. @default undefined */
	logger?: JournalLogger;
	/** Called after each commit with the milliseconds that it took to become durable, and its number of records. @default undefined */
	onCommit?: (durationMs: number, records: number) => void;
};

/** The names of all these options. */
export const journalOptionNames: Names<JournalOptions> = {content: true, compaction: true, logger: true, onCommit: true};

/** @throws {ConfigurationError} for a limit with a wrong value */
export const checkCompaction = (compaction: Partial<Compaction> | undefined): Compaction | null => {
	requireKnownNames('Compaction', compaction, compactionNames);
	const {keepRecords = 10_000, keepDays = 0, snapshotEvery = 100} = compaction ?? {};
	requireNumber('compaction.keepRecords', keepRecords, whole(ranges.number));
	requireNumber('compaction.keepDays', keepDays, within(ranges.number));
	const {isAllowed, expected} = whole(ranges.count);
	// With Infinity there would never be a snapshot.
	requireOption('compaction.snapshotEvery', snapshotEvery, snapshotEvery !== Infinity && isAllowed(snapshotEvery), expected);
	return compaction ? {keepRecords, keepDays, snapshotEvery} : null;
};

const requireNumber = (name: string, value: number, {isAllowed, expected}: ReturnType<typeof whole>): void => {
	requireOption(name, value, isAllowed(value), expected);
};

/** A limit that is not a number would compact records that must stay. @throws {ConfigurationError} if the value is not allowed */
export const requireOption = (name: string, value: unknown, isAllowed: boolean, expected: string): void => {
	if (!isAllowed) {
		throw new ConfigurationError(`The journal's option ${name} is ${typeof value === 'string' ? `“${value}”` : String(value)}. `
			+ `Give ${expected}.`);
	}
};
