/** Enough texts for a validation. */
import type {Identity} from '../../src/identity/identity.ts';

/** Runs cycles in conversations, each with one of two sources. @returns the sources of the texts */
export const talk = async (identity: Pick<Identity, 'cycle'>, {texts = 400, conversations = 40} = {}): Promise<string[]> => {
	const conversationOf = Array.from({length: texts}, (_, i) => Math.floor(i * conversations / texts));
	const sources = conversationOf.map(conversation => ['ada', 'grace'][conversation % 2]!);
	await Promise.all(conversationOf.map(async (conversation, i) =>
		identity.cycle({content: `Text ${i % 23}.`, source: sources[i]!, conversation: `${conversation}`})));
	return sources;
};
