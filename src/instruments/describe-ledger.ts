/** Describes a ledger: its entries with shares and parts, and notes for the reader. */
import type {Ledger, LedgerEntry, PastState} from '../generated/types.ts';
import {nameMoment} from '../platform/clock.ts';
import {formatCount, phrase} from '../platform/phrase.ts';
import type {Grouping, LedgerEntry as ComposedEntry} from './ledger.ts';
import type {LedgerResult} from './run-ledger.ts';

export const describeLedger = (
	{to, from, begins, cycles, value, compositions: [composition], isHashed}: LedgerResult,
	{by, direction}: {by: Grouping; direction: string | null},
): Ledger => ({
	stateId: to.stateId,
	by,
	direction,
	value,
	from,
	cycles,
	beginningLeft: composition!.beginningLeft,
	halfLifeCycles: composition!.halfLifeCycles,
	entries: composition!.entries.map(entry => describeEntry(entry, begins === 'birth' || begins === 'reset')),
	note: joinNotes(
		begins === 'reset' && phrase`The identity was reset on ${nameMoment(from.timestamp)}, ${formatCount(cycles, 'cycle')} ago: the ledger
			begins there.`,
		begins === 'compaction' && phrase`Records up to state ${from.stateId} are compacted: what they left of the state is one
			entry, before.`,
		isHashed && hashNote(),
	),
});

/** The ledger of a direction on a row that no text moves. */
export const describeUnmoved = (
	state: PastState, {by, direction, dimension, value}: {by: Grouping; direction: string; dimension: string; value: number},
): Ledger => ({
	stateId: state.stateId,
	by,
	direction,
	value,
	from: state,
	cycles: 0,
	beginningLeft: 1,
	halfLifeCycles: null,
	entries: [{kind: 'beginning', key: 'beginning', texts: 0, share: 1, part: value}],
	note: phrase`${direction} lies on ${dimension}, which does not move by these rules: its whole value is from the beginning. With
		lens=thirdness the same direction is measured on thirdness, which texts move.`,
});

/** A note for answers with sources, if the journal keeps hashes. */
export const hashNote = (): string =>
	phrase`The journal keeps hashes of texts and metadata: contents are not known, and the source of a text is its trigger.`;

export const joinNotes = (...notes: Array<string | false | null>): string | null => notes.filter(Boolean).join(' ') || null;

const describeEntry = ({kind, key, texts, share, part, text}: ComposedEntry, isFirst: boolean): LedgerEntry => ({
	...(kind === 'beginning' && !isFirst ? {kind: 'before', key: 'before'} : {kind, key}),
	texts,
	share,
	part,
	...(text && {timestamp: text.timestamp, source: text.source, trigger: text.trigger, content: text.content}),
});
