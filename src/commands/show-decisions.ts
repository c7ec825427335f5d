/** Formats decisions about texts, and held texts, as sentences and tables for a terminal. */
import type {ForgetResponse, HeldTexts, PastRevision, RevisionResponse, Revisions, Settled} from '../generated/types.ts';
import {formatFixed, phrase, translated} from '../platform/phrase.ts';
import {fixed, line, lines, ordinaryLeads, paragraphs, showChanges, table, when} from './show-answers.ts';

type Turn = {id: string | null; stateId: number; stateIdBefore: number; turnMrad: number};

const describeTurn = ({id, stateId, stateIdBefore, turnMrad}: Turn): string => id === null
	? phrase`State ${stateId} would lie ${formatFixed(turnMrad, 1)} mrad from state ${stateIdBefore}.`
	: phrase`State ${stateId} lies ${formatFixed(turnMrad, 1)} mrad from state ${stateIdBefore}.`;

export const showRevision = (revision: RevisionResponse): string => {
	const {id, texts, excluded, stateIdBefore, stateId, turnMrad, directions, words, p, limit} = revision;
	const far = formatFixed(turnMrad, 1);
	const made = texts === 1 ? phrase`one text` : phrase`${texts} texts`;
	const left = excluded === 1 ? phrase`one weighs nothing` : phrase`${excluded} weigh nothing`;
	return paragraphs(
		lines(
			id === null
				? phrase`State ${stateId} would be made of ${made}; ${left}. It lies ${far} mrad from state
					${stateIdBefore}.`
				: phrase`State ${stateId} is made of ${made}; ${left}. It lies ${far} mrad from state
					${stateIdBefore}.`,
			...words,
			p === null ? null : ordinaryLeads(p),
			limit,
		),
		showChanges(directions),
		id === null ? phrase`Nothing has changed: leave out --dry-run to do it.` : null,
	);
};

const describeGone = (id: string | null, texts: number): string => {
	if (texts === 0) {
		return id === null
			? phrase`No text has that name any more, and no decision would mention it.`
			: phrase`No text has that name any more, and no decision mentions it now.`;
	}

	if (texts === 1) {
		return id === null ? phrase`One text would be gone for good.` : phrase`One text is gone for good.`;
	}

	return id === null ? phrase`${texts} texts would be gone for good.` : phrase`${texts} texts are gone for good.`;
};

/** @param file The receipt's file; null to print the receipt. */
export const showForgetting = (forgetting: ForgetResponse, file: string | null = null): string => {
	const {id, texts, directions, words, validation, limit, elsewhere, receipt} = forgetting;
	return paragraphs(
		lines(
			[describeGone(id, texts), describeTurn(forgetting)].join(' '),
			...words, validation, limit, ...elsewhere,
		),
		showChanges(directions),
		id === null
			? phrase`Nothing has changed: leave out --dry-run to do it. It cannot be undone.`
			: lines(phrase`It cannot reach:`, ...receipt!.unreached.map(each => `- ${each}`)),
		receipt && (file === null
			? lines(phrase`Keep this receipt; “processual verify-forgotten FILE FOLDER” searches with it:`, JSON.stringify(receipt))
			: phrase`The receipt is in ${file}. Keep it: “processual verify-forgotten ${file} FOLDER” searches with it.`),
	);
};

/** A decision, in a few words. */
const describeChoice = ({kind, without, at, holds, settled, forgotten}: PastRevision): string => {
	if (forgotten) {
		// A name alone may have stood in what decisions say.
		return forgotten.texts === 0 ? phrase`forgot a name` : phrase`forgot ${forgotten.texts}`;
	}

	if (kind === 'release' || kind === 'drop') {
		return kind === 'release' ? phrase`release of ${settled} held` : phrase`drop of ${settled} held`;
	}

	if (kind === 'hold') {
		return holds ? phrase`hold of ${[...holds.sources ?? [], ...holds.conversations ?? []].join(', ') || '…'}` : phrase`end of a hold`;
	}

	const left = Object.entries(without ?? {}).map(([by, chosen]) => `${translated(by)} ${chosen.join(', ')}`).join('; ') || phrase`nothing`;
	const what = at ? phrase`back to state ${at.stateId}` : left;
	return holds ? phrase`${what} (on hold)` : what;
};

export const showRevisions = ({revisions}: Revisions): string => revisions.length === 0
	? phrase`No text was ever left out.`
	: table([phrase`state`, phrase`when`, phrase`who`, phrase`left out`, phrase`texts`, 'mrad', phrase`why`], revisions, revision => [
		revision.stateId, when(revision.timestamp), line(revision.by), line(describeChoice(revision)), revision.excluded,
		fixed(revision.turnMrad, 1), line(revision.note),
	])!;

export const showHeld = ({hold, waiting, texts, sources}: HeldTexts): string => paragraphs(
	hold
		? phrase`On hold since ${when(hold.timestamp)}: ${line([...hold.sources, ...hold.conversations].join(', '))}. “${line(hold.note)}”`
		: phrase`No hold is in force.`,
	waiting === 0 ? phrase`No texts are waiting.` : waiting === 1
		? phrase`One text is waiting, and weighs nothing until it is released.`
		: phrase`${waiting} texts are waiting, and weigh nothing until they are released.`,
	table([phrase`who`, phrase`texts`, phrase`since`, phrase`against ordinary talk`], sources, ({source, texts: count, since, reading}) =>
		[line(source), count, when(since), fixed(reading, 1)]),
	table([phrase`when`, phrase`who`, phrase`text`, phrase`why`, 'id'], texts, ({timestamp, source, content, reason, id}) =>
		[when(timestamp), line(source), line(content), line(reason), line(id)]),
);

const describeSettled = ({id, ids: {length}}: Pick<Settled, 'id' | 'ids'>): string => {
	if (length === 1) {
		return id === null ? phrase`One text would no longer be held.` : phrase`One text is no longer held.`;
	}

	return id === null ? phrase`${length} texts would no longer be held.` : phrase`${length} texts are no longer held.`;
};

export const showSettled = ({directions, words, p, left, ...settled}: Settled): string => paragraphs(
	lines(
		[describeSettled(settled), describeTurn(settled)].join(' '),
		...words,
		p === null ? null : ordinaryLeads(p),
		left > 0 ? phrase`${left} more texts match: repeat the command.` : null,
	),
	showChanges(directions),
	settled.id === null ? phrase`Nothing has changed: leave out --dry-run to do it.` : null,
);
