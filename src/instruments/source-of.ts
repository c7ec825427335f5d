/** Who said a text, and in which conversation, as far as its record says. What a stranger calls itself stays one short line. */
import type {StoredCycle, StoredRecord} from '../journal/journal.ts';
import type {BaselineText} from '../journal/validation.ts';
import {copyBeginning, hidden} from '../platform/plain-line.ts';

/** How many sources an answer names. Strangers may have made up thousands; the others are summed. */
export const maxSources = 100;

/** How many characters a note has at most, which says why something was decided. */
export const maxNoteLength = 1000;

/** How many characters of a source or of a conversation are read. */
export const maxNameLength = 200;

/** Of a huge name only the beginning is read: a character takes up to two units, and as many again may be control characters. */
const maxReadUnits = 4 * maxNameLength;

/** A name as it is read: without control characters, and cut. Null for what is no text, or is blank. */
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

/** What says whose a text is. */
export type SaidText = Pick<StoredCycle, 'trigger' | 'isHashed' | 'metadata'>;

const metadataOf = ({isHashed, metadata}: SaidText): Readonly<Record<string, unknown>> =>
	isHashed ? {} : metadata as Record<string, unknown>;

/** The metadata's `source` if that is a text, else the trigger. A hashed record has its trigger alone. */
export const sourceOf = (cycle: SaidText): string => readName(metadataOf(cycle)['source']) ?? readName(cycle.trigger) ?? '';

/** When a text was said: before its cycle where it was imported, or held until then; ISO 8601, UTC. */
export const saidAtOf = ({saidAt, timestamp}: Pick<StoredCycle, 'saidAt' | 'timestamp'>): string => saidAt ?? timestamp;

/** When the state changed, in milliseconds since the epoch: with what was imported when that was said. */
export const happenedAt = (record: StoredRecord): number =>
	Date.parse(record.kind === 'cycle' && record.origin === 'import' ? saidAtOf(record) : record.timestamp);

/** The source of texts that are the identity's own. */
export const ownSource = 'self';

/** Whether the identity said it, or thought it: a name is a claim, and who calls itself so is heard no more, and is what is said. */
export const isOwn = (cycle: SaidText): boolean => sourceOf(cycle) === ownSource || cycle.trigger.startsWith('rumination');

/** A conversation's id as it is read: bit for bit as far as a name goes. Null for what is no text, or empty. */
export const readConversation = (value: unknown): string | null =>
	typeof value === 'string' && value !== '' ? copyBeginning(value, maxNameLength) : null;

/** The metadata's `conversation`; null where it is no text or empty, and where metadata is hashed. */
export const conversationOf = (cycle: SaidText): string | null => readConversation(metadataOf(cycle)['conversation']);

/** Whose texts are followed: those of others, or the identity's own. */
export type Voice = 'heard' | 'said';

export const voices: readonly Voice[] = ['heard', 'said'];

/** Whether a text is one of a voice. */
export const isOf = (voice: Voice, text: Pick<BaselineText, 'isOwn'>): boolean => text.isOwn === (voice === 'said');
