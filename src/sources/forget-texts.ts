/** Forgets texts in the store and among the messages: what an identity began with may come from what it once heard. */
import type {Messages} from './recent-words.ts';
import type {Store} from './store/store.ts';
import {countInEnglish} from '../platform/phrase.ts';

/** The texts, by what of them may stand elsewhere. */
export type TextsToForget = {
	/** None where the journal keeps hashes. */
	readonly contents: ReadonlySet<string>;
	readonly vectors: readonly Float32Array[];
	/** Those that the caller named. */
	readonly conversations: readonly string[];
};

/** How many rows were erased; and what of them is left to somebody else, in a sentence. */
export type Erased = {readonly count: number; readonly left: string | null};

/** What was removed, and what cannot be reached, in sentences. */
export type ForgotThere = {readonly removed: readonly string[]; readonly unreached: readonly string[]};

/** @throws {StoreError} */
export const forgetTexts = async ({store, messages}: {store: Store; messages: Messages}, texts: TextsToForget): Promise<ForgotThere> => {
	const thoughts = await store.forget?.(texts) ?? {
		count: 0, left: `${store.place}, which is only read: delete its thoughts of these texts with its own tools.`,
	};
	const said = await messages.forget(texts);
	return {
		removed: [
			...thoughts.count > 0 ? [`${store.place}: ${countInEnglish(thoughts.count, 'thought')}.`] : [],
			...said.count > 0 ? [`${messages.place}: ${countInEnglish(said.count, 'message')}.`] : [],
		],
		unreached: [thoughts.left, said.left].filter(left => left !== null),
	};
};
