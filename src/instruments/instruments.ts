/** The instruments that read a journal, by the names under which threads are asked for them. */
import type {Instrument} from './instrument.ts';
import {runDigest} from './digest.ts';
import {runChance} from './drift/ordinary.ts';
import {runDrift} from './run-drift.ts';
import {runFollow, runWatch} from './following.ts';
import {followForgetting} from './forgetting-records.ts';
import {runHistory} from './history.ts';
import {runLedger} from './run-ledger.ts';
import {runPlace} from './revised-records.ts';
import {runRevision} from './run-revision.ts';
import {runWhatIf} from './what-if.ts';

export const instruments = {
	chance: runChance, digest: runDigest, drift: runDrift, follow: runFollow, forgetting: followForgetting, history: runHistory,
	ledger: runLedger, place: runPlace, revision: runRevision, watch: runWatch, whatIf: runWhatIf,
};

export type InstrumentName = keyof typeof instruments;

export type QuestionOf<Name extends InstrumentName> =
	(typeof instruments)[Name] extends Instrument<infer Question, unknown> ? Question : never;

export type AnswerOf<Name extends InstrumentName> = ReturnType<ReturnType<(typeof instruments)[Name]>['answer']>;
