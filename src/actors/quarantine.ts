/**
 * Decides which texts are held: recorded, but not applied until they are released. The decision is made in the text's turn,
 * when it is embedded and all earlier decisions count. Rules are pure functions that give the reason in words.
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

/** Whose further texts are held, since when and why. */
export type Hold = Holds & Pick<RevisionFacts, 'timestamp' | 'note' | 'by'>;

export type Quarantine = {
	/** Null if no hold is in force. */
	readonly hold: Hold | null;
	/** The number of held texts. */
	readonly waiting: number;
};

/** An arriving text, as a rule sees it. */
export type ArrivingText = SaidText & {readonly id: string; readonly vector: Float32Array; readonly tokenReport: TokenReport};

/** Gives the reason why a text is to be held; null if it may pass. */
export type HoldRule = (text: ArrivingText, quarantine: Quarantine) => string | null;

/** Bounds the held texts, which are stored whole. */
const maxWaiting = 10_000;

const isOnHold = memoizeWeak(({sources = [], conversations = []}: Hold) => ({
	source: chosenBy({sources}), conversation: chosenBy({conversations}),
}));

/** Ends a sentence with a quotation, which may already contain the full stop. */
const endWith = (quotation: string): string => /[.!?…]\s?[”»]$/.test(quotation) ? quotation : `${quotation}.`;

/** Why a text is held by the name of its source or conversation; null if it is not. */
export const holdNamed = (text: Pick<ArrivingText, keyof SaidText | 'id'>, {hold}: Quarantine): string | null => {
	const meant = hold && isOnHold(hold);
	const whose = meant?.source(text)
		? phrase`Texts of ${quote(sourceOf(text))}`
		: (meant?.conversation(text) ? phrase`Texts of the conversation ${quote(conversationOf(text)!)}` : null);
	return whose && phrase`${whose} wait since ${nameMoment(hold!.timestamp)}: ${endWith(quote(hold!.note))}`;
};

/** Why a text is held; null if it may move the state. @param guard The person's rules. @throws {BusyError} when 10,000 are held */
export const findHoldReason = (text: ArrivingText, quarantine: Quarantine, guard: readonly HoldRule[]): string | null => {
	const reason = [holdNamed, ...guard].map(rule => rule(text, quarantine)).find(found => found !== null) ?? null;
	if (reason !== null && quarantine.waiting >= maxWaiting) {
		throw new BusyError(`${reason} ${maxWaiting} texts are already waiting, and no more can: release some, or drop them.`, 60);
	}

	return reason;
};

/** The hold that a revision sets, with the number of held texts. */
export const quarantineOf = (
	revision: Pick<RevisionFacts, 'holds' | 'heldBy' | 'timestamp' | 'note' | 'by'> | null, waiting: number,
): Quarantine => {
	const {timestamp, note, by} = revision?.heldBy ?? revision ?? {};
	const hold = revision?.holds ? {...revision.holds, timestamp: timestamp!, note: note!, by: by ?? null} : null;
	return {hold, waiting};
};

const maxNamed = 3;

/** A note on the hold and the held texts for readers of the present; null if there are none. */
export const describeQuarantine = ({hold, waiting}: Quarantine): string | null => {
	const names = [...hold?.sources ?? [], ...hold?.conversations ?? []];
	const shown = names.slice(0, maxNamed).map(name => quote(name, 60)).join(', ');
	const whose = names.length > maxNamed ? phrase`${shown} and ${names.length - maxNamed} more` : shown;
	const said = [
		hold && phrase`Further texts of ${whose} are held back since ${nameMoment(hold.timestamp)}`,
		waiting > 0 && (waiting === 1 ? phrase`1 text is waiting and has moved nothing yet` : phrase`${waiting} texts are waiting and
			have moved nothing yet`),
	].filter(Boolean);
	return said.length === 0 ? null : `${said.join('; ')}.`;
};
