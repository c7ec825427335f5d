/** Forgets texts in the store and among the messages: what an identity began with may come from what it once heard. */
import type {DatabaseSync} from 'node:sqlite';
import type {Messages} from './recent-words.ts';
import {widthsOf} from './store/row-codec.ts';
import type {Store} from './store/store.ts';

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
			...thoughts.count > 0 ? [`${store.place}: ${thoughts.count} thoughts.`] : [],
			...said.count > 0 ? [`${messages.place}: ${said.count} messages.`] : [],
		],
		unreached: [thoughts.left, said.left].filter(left => left !== null),
	};
};

/** Deletes thoughts of a file; must run in a transaction. @returns how many */
export const forgetThoughts = (database: DatabaseSync, {contents, vectors}: Pick<TextsToForget, 'contents' | 'vectors'>): number => {
	const byContent = database.prepare('delete from thoughts where content = ?');
	const byVector = database.prepare('delete from thoughts where vector = ? and length(vector) > 0');
	const removals = [
		...[...contents].map(content => byContent.run(content)), ...vectors.flatMap(widthsOf).map(bytes => byVector.run(bytes)),
	];
	return removals.reduce((sum, {changes}) => sum + Number(changes), 0);
};
