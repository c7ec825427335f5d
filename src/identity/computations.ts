/** What is computed from the past of an identity, by the names of the questions. A question of the table needs a line here. */
import type {Questions} from '../generated/types.ts';
import type {DriftQuestions} from './ask-drift.ts';
import {askDifference, askHistory, askLedger, type AskedLife} from './ask-history.ts';
import {withNote, type UnreadTexts} from './unread-texts.ts';

export type Answering = Omit<AskedLife, 'drifts'> & {readonly drifts: DriftQuestions; readonly unread: UnreadTexts};

type Compute<Request, Answer> = (asked: Answering, request: Request, signal?: AbortSignal) => Promise<Answer>;

/** Computations by name. The table holds requests and answers to their schemas. */
export type Computations = Readonly<Record<string, Compute<never, object>>>;

type Names = 'ledger' | 'history' | 'diff' | 'drift' | 'sources';

export const computations = {
	ledger: askLedger,
	history: askHistory,
	diff: askDifference,
	drift: async ({drifts, unread}, request, signal) => withNote(await drifts.drift(request, signal), await unread.read()),
	sources: async ({drifts}, request, signal) => drifts.sources(request, signal),
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
