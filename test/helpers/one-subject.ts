/** Texts about one subject, and cycles over them. */
import type {Identity} from '../../src/identity/identity.ts';

export const sea = [
	'We walked along the shore and watched the waves come in.',
	'The fishing boats left the harbour before sunrise.',
	'At low tide the children looked for crabs among the rocks.',
	'Salt wind and gulls crying: the ocean was rough today.',
];

/** Runs `times` cycles over the sentences, in turn. */
export const dwellOn = async (identity: Pick<Identity, 'cycle'>, sentences: readonly string[], times: number): Promise<void> => {
	for (let i = 0; i < times; i++) {
		await identity.cycle({content: sentences[i % sentences.length]!});
	}
};
