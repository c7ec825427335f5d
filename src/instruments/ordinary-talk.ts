/** What is ordinary by a validation, and the chance that is drawn from it. */
import type {Random} from '../platform/clock.ts';
import type {Baseline} from './baseline.ts';
import {mulberry32} from './mulberry32.ts';

/** The baseline of a validation, and the validation's number in the journal. */
export type OrdinaryTalk = {readonly seq: number; readonly texts: Baseline};

/**
 * How many of the newest texts are looked at, and how long twins live at most. Half of a text is left after about 850
 * cycles, so after this many less than 2 % of anything is; and twins cost a second for each 1000.
 */
export const maxTexts = 5000;

/** Random numbers for a state: the same validation and state give the same ones. */
export const chanceFor = ({seq}: OrdinaryTalk, stateId: number): Random => mulberry32(Math.imul(seq, 0x9E_37_79_B1) ^ stateId);
