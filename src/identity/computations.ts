/** What is computed from the past of an identity, by the names of the questions. A question of the table needs a line here. */
import {isRevision} from '../journal/revision.ts';
import type {DifferenceRequest, LedgerRequest, Questions} from '../generated/types.ts';
import {describeInForce, toPastRevision} from '../instruments/describe-revision.ts';
import type {RevisionInForce} from '../actors/process-context.ts';
import type {DriftQuestions} from './ask-drift.ts';
import {askDifference, askHistory, askLedger, type AskedLife} from './ask-history.ts';
import {withNote, type UnreadTexts} from './unread-texts.ts';

export type Answering = Omit<AskedLife, 'drifts'> & {
	readonly drifts: DriftQuestions; readonly unread: UnreadTexts; readonly revision: RevisionInForce | undefined;
};

type Compute<Request, Answer> = (asked: Answering, request: Request, signal?: AbortSignal) => Promise<Answer>;

/** Computations by name. The table holds requests and answers to their schemas. */
export type Computations = Readonly<Record<string, Compute<never, object>>>;

type Names = 'ledger' | 'history' | 'diff' | 'drift' | 'sources' | 'revisions';

export const computations = {
	ledger: async (asked, request: LedgerRequest, signal) => withNote(
		await askLedger(asked, request, signal), describeInForce(asked.revision),
	),
	history: askHistory,
	diff: async (asked, request: DifferenceRequest, signal) => withNote(
		await askDifference(asked, request, signal), describeInForce(asked.revision),
	),
	drift: async ({drifts, unread, revision}, request, signal) =>
		withNote(withNote(await drifts.drift(request, signal), await unread.read()), describeInForce(revision)),
	sources: async ({drifts, revision}, request, signal) => withNote(await drifts.sources(request, signal), describeInForce(revision)),
	revisions: async ({past}, _, signal) => ({revisions: (await past.decisions(signal)).filter(isRevision).map(toPastRevision)}),
} satisfies {readonly [Name in Names]: Compute<NonNullable<Parameters<Questions[Name]>[0]>, Awaited<ReturnType<Questions[Name]>>>};

/** A method for each computation. @param perform performs it when the identity can. */
export const answering = (
	all: Computations, perform: (compute: Compute<object, object>, request: object, signal?: AbortSignal) => Promise<object>,
) =>
	Object.fromEntries(
		Object.entries(all).map(([name, compute]) => [
			name, async (request = {}, {signal}: {signal?: AbortSignal} = {}) => perform(compute as Compute<object, object>, request, signal),
		]),
	) as unknown as Pick<Questions, Names>;
