/** Reads the source and the conversation of a text from its record. A name that a stranger chose becomes one short line. */
import type {StoredCycle, StoredRecord} from '../journal/journal.ts';
import type {BaselineText} from '../journal/validation.ts';
import {copyBeginning, hidden} from '../platform/plain-line.ts';

/** The most sources that an answer names; it sums the others. Strangers may have made up thousands. */
export const maxSources = 100;

/** The most characters of the note that gives the reason of a decision. */
export const maxNoteLength = 1000;

/** The number of characters of a source or a conversation that are read. */
export const maxNameLength = 200;

/** Only this beginning of a huge name is read. A character has up to two code units, and half of them may be control characters. */
const maxReadUnits = 4 * maxNameLength;

/** Removes control characters from a name, and truncates it. Null if it is not a string, or blank. */
export const readName = (value: unknown): string | null => {
	if (typeof value !== 'string') {
		return null;
	}

	const plain = value.slice(0, maxReadUnits).toWellFormed().replaceAll(hidden, '');
	if (plain.trim() === '') {
		return null;
	}

	return plain.length <= maxNameLength ? plain : Array.from(plain).slice(0, maxNameLength).join('');
};

/** The part of a text from which its source is read. */
export type SaidText = Pick<StoredCycle, 'trigger' | 'isHashed' | 'metadata'>;

const metadataOf = ({isHashed, metadata}: SaidText): Readonly<Record<string, unknown>> =>
	isHashed ? {} : metadata as Record<string, unknown>;

/** The metadata's `source` if that is a string, else the trigger. A hashed record has only its trigger. */
export const sourceOf = (cycle: SaidText): string => readName(metadataOf(cycle)['source']) ?? readName(cycle.trigger) ?? '';

/** When a text was said, which is before its cycle if it was imported or held; ISO 8601, UTC. */
export const saidAtOf = ({saidAt, timestamp}: Pick<StoredCycle, 'saidAt' | 'timestamp'>): string => saidAt ?? timestamp;

/** When the state changed, in milliseconds since the epoch. An imported text counts at the time when it was said. */
export const happenedAt = (record: StoredRecord): number =>
	Date.parse(record.kind === 'cycle' && record.origin === 'import' ? saidAtOf(record) : record.timestamp);

/** The source of the identity's own texts. */
export const ownSource = 'self';

/** Whether the identity said or thought it. The source is a claim: a stranger that calls itself `self` counts as the identity. */
export const isOwn = (cycle: SaidText): boolean => sourceOf(cycle) === ownSource || cycle.trigger.startsWith('rumination');

/** The id of a conversation, truncated but otherwise unchanged. Null if it is not a string, or empty. */
export const readConversation = (value: unknown): string | null =>
	typeof value === 'string' && value !== '' ? copyBeginning(value, maxNameLength) : null;

/** The metadata's `conversation`; null if it is not a string, empty, or hashed. */
export const conversationOf = (cycle: SaidText): string | null => readConversation(metadataOf(cycle)['conversation']);

/** `heard` has the texts of others, `said` the identity's own. */
export type Voice = 'heard' | 'said';

export const voices: readonly Voice[] = ['heard', 'said'];

export const isOf = (voice: Voice, text: Pick<BaselineText, 'isOwn'>): boolean => text.isOwn === (voice === 'said');
