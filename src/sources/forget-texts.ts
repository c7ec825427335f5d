/** Forgets texts in the store and among the messages, which may contain texts that the identity heard. */
import type {Messages} from './recent-words.ts';
import type {Store} from './store/store.ts';
import {countInEnglish} from '../platform/phrase.ts';

/** The texts, by everything through which other places can find them. */
export type TextsToForget = {
	/** Empty if the journal keeps only hashes. */
	readonly contents: ReadonlySet<string>;
	readonly vectors: readonly Float32Array[];
	/** The conversations that the caller named. */
	readonly conversations: readonly string[];
};

/** The number of erased rows, and a sentence about what is left for others to erase; null if nothing is. */
export type Erased = {readonly count: number; readonly left: string | null};

/** Sentences about what was removed, and about what cannot be reached. */
export type ForgotThere = {readonly removed: readonly string[]; readonly unreached: readonly string[]};

/** @throws {StoreError} */
export const forgetTexts = async ({store, messages}: {store: Store; messages: Messages}, texts: TextsToForget): Promise<ForgotThere> => {
	const thoughts = await store.forget?.(texts) ?? {
		count: 0, left: `${store.place}, which is read-only here: delete the thoughts of these texts with the tools of that store.`,
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
