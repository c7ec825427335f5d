/** Enough texts for a validation. */
import type {Identity} from '../../src/identity/identity.ts';

/** Says texts in visits of two sources by turns. @returns the sources of the texts */
export const talk = async (identity: Pick<Identity, 'cycle'>, {texts = 400, visits = 40} = {}): Promise<string[]> => {
	const sources = Array.from({length: texts}, (_, i) => ['ada', 'grace'][Math.floor(i * visits / texts) % 2]!);
	await Promise.all(sources.map(async (source, i) => identity.cycle({content: `Text ${i % 23}.`, metadata: {source}})));
	return sources;
};
