/** What others say and what the identity says itself are two questions (`docs/spec/instruments.md#4-validate-conversations-drift`). */
import type {BaselineText} from '../../journal/journal.ts';

/** Whose texts are followed: those of others, or the identity's own. */
export type Voice = 'heard' | 'said';

export const voices: readonly Voice[] = ['heard', 'said'];

/** Whether a text is one of a voice. */
export const isOf = (voice: Voice, {isOwn}: Pick<BaselineText, 'isOwn'>): boolean => isOwn === (voice === 'said');
