/** Whether a text was read as the talk of a person: what a model cannot read says nothing of who sent it. */
import type {CycleRecord} from '../../journal/journal.ts';

/** Shorter texts say too little of what they are about. */
const minTokens = 4;

/** More unknown words, and the rest is not what was said. */
const maxUnknownShare = 0.2;

/** English has 2.4 characters for a token in 99 of 100 sentences; JSON, code, links and other languages are cut into more pieces. */
const minCharactersPerToken = 2.2;

/** Whether a text was too short, cut off, of unknown words, or read in pieces. What is not known speaks for the text. */
export const isUnread = (
	{tokens = minTokens, characters = Number.POSITIVE_INFINITY, isTruncated = false, unknownShare = 0}: CycleRecord['tokenReport'],
): boolean =>
	isTruncated || tokens < minTokens || unknownShare > maxUnknownShare || characters < minCharactersPerToken * tokens;

/** Where more of a difference comes from unread texts, nothing stands out and nobody is named. */
export const maxUnreadShare = 0.2;
