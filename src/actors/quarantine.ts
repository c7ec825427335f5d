/**
 * Which texts are held back: recorded, and not applied until they are released. That is decided in a text's turn, where it is
 * embedded and all that was decided before it counts, by rules: pure functions that say in words why a text waits.
 */
import {conversationOf, sourceOf, type SaidText} from '../instruments/source-of.ts';
import {chosenBy} from '../instruments/text-choice.ts';
import type {TokenReport} from '../embedding/encoder.ts';
import type {Holds, RevisionFacts} from '../journal/revision.ts';
import {memoizeWeak} from '../platform/immutable.ts';
import {BusyError} from '../platform/errors.ts';
import {nameMoment} from '../platform/clock.ts';
import {phrase} from '../platform/phrase.ts';
import {quote} from '../platform/plain-line.ts';

/** Whose further texts wait, since when and why. */
export type Hold = Holds & Pick<RevisionFacts, 'timestamp' | 'note' | 'by'>;

export type Quarantine = {
	/** Null where no hold is in force. */
	readonly hold: Hold | null;
	/** How many texts wait. */
	readonly waiting: number;
};

/** A text that comes in, as a rule knows it. */
export type ArrivingText = SaidText & {readonly id: string; readonly vector: Float32Array; readonly tokenReport: TokenReport};

/** Says in words why a text is to wait; null where it may pass. */
export type HoldRule = (text: ArrivingText, quarantine: Quarantine) => string | null;

/** What waits is kept whole, so that it is bounded. */
const maxWaiting = 10_000;

const isOnHold = memoizeWeak(({sources = [], conversations = []}: Hold) => ({
	source: chosenBy({sources}), conversation: chosenBy({conversations}),
}));

/** Ends a sentence with a quotation, which may have its full stop already. */
const endWith = (quotation: string): string => /[.!?…]\s?[”»]$/.test(quotation) ? quotation : `${quotation}.`;

/** Why a text of who is on hold by name waits; null for any other. */
export const holdNamed = (text: Pick<ArrivingText, keyof SaidText | 'id'>, {hold}: Quarantine): string | null => {
	const meant = hold && isOnHold(hold);
	const whose = meant?.source(text)
		? phrase`Texts of ${quote(sourceOf(text))}`
		: (meant?.conversation(text) ? phrase`Texts of the conversation ${quote(conversationOf(text)!)}` : null);
	return whose && phrase`${whose} wait since ${nameMoment(hold!.timestamp)}: ${endWith(quote(hold!.note))}`;
};

const rules: readonly HoldRule[] = [holdNamed];

/** Why a text waits; null where it moves the state. @param guard a person's own rules @throws {BusyError} for one more than can wait */
export const findHoldReason = (
	text: ArrivingText, quarantine: Quarantine, guard: readonly HoldRule[] = [],
): string | null => {
	const reason = [...rules, ...guard].map(rule => rule(text, quarantine)).find(found => found !== null) ?? null;
	if (reason !== null && quarantine.waiting >= maxWaiting) {
		throw new BusyError(`${reason} ${maxWaiting} texts wait already, and no more can: release some, or drop them.`, 60);
	}

	return reason;
};

const nothingHeld: Quarantine = {hold: null, waiting: 0};

/** What is on hold by a revision, and how many texts wait. */
export const quarantineOf = (
	revision: Pick<RevisionFacts, 'holds' | 'heldBy' | 'timestamp' | 'note' | 'by'> | null, waiting: number,
): Quarantine => {
	const {timestamp, note, by} = revision?.heldBy ?? revision ?? {};
	const hold = revision?.holds ? {...revision.holds, timestamp: timestamp!, note: note!, by: by ?? null} : null;
	return hold === null && waiting === 0 ? nothingHeld : {hold, waiting};
};

/** As many names make a sentence. */
const maxNamed = 3;

/** What a reader of the present must know of what waits; null where no hold is in force and nothing waits. */
export const describeQuarantine = ({hold, waiting}: Quarantine): string | null => {
	const names = [...hold?.sources ?? [], ...hold?.conversations ?? []];
	const shown = names.slice(0, maxNamed).map(name => quote(name, 60)).join(', ');
	const whose = names.length > maxNamed ? phrase`${shown} and ${names.length - maxNamed} more` : shown;
	const said = [
		hold && phrase`Further texts of ${whose} are held back since ${nameMoment(hold.timestamp)}`,
		waiting > 0 && (waiting === 1 ? phrase`1 text waits, and moved nothing yet` : phrase`${waiting} texts wait, and moved nothing yet`),
	].filter(Boolean);
	return said.length === 0 ? null : `${said.join('; ')}.`;
};
