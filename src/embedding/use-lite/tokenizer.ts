/**
 * The model's SentencePiece tokenizer. It finds the most probable split of a text into tokens of the
 * vocabulary (Viterbi), in time linear in the text.
 *
 * It keeps the rules of the original, which made the tokens for the model's training: 0 means no score
 * yet, and a character without a token also scores 0.
 */
import type {SharedWeights} from './weights.ts';

/** The vocabulary as `pack-vocabulary.ts` packs it. */
export type Vocabulary = {
	symbols: Uint16Array;
	tokens: Uint16Array;
	children: Uint16Array;
	scores: Float64Array;
	/** The characters of each token. */
	lengths: Uint8Array;
	/** The characters of text that each token covers: without spaces, and 0 for the unknown token. */
	characters: Uint8Array;
};

/** Views of the vocabulary in the shared memory. */
export const viewVocabulary = ({buffer, sections}: SharedWeights): Vocabulary => ({
	symbols: new Uint16Array(buffer, sections['trie.symbols']),
	tokens: new Uint16Array(buffer, sections['trie.tokens']),
	children: new Uint16Array(buffer, sections['trie.children']),
	scores: new Float64Array(buffer, sections['token.scores']),
	lengths: new Uint8Array(buffer, sections['token.lengths']),
	characters: new Uint8Array(buffer, sections['token.characters']),
});

const unknown = 0;

export const createTokenizer = ({symbols, tokens, children, scores, lengths}: Vocabulary): ((text: string) => number[]) => {
	/** The child of a node, or 0. */
	const childOf = (node: number, symbol: number): number => {
		let low = children[node]!;
		let high = children[node + 1]! - 1;
		while (low <= high) {
			const middle = (low + high) >> 1;
			const found = symbols[middle]!;
			if (found === symbol) {
				return middle;
			}

			if (found < symbol) {
				low = middle + 1;
			} else {
				high = middle - 1;
			}
		}

		return 0;
	};

	/** @param text Must be normalised. */
	return text => {
		if (text === '') {
			return [];
		}

		const characters = Uint32Array.from(`▁${text.replaceAll(' ', '▁')}`, character => character.codePointAt(0)!);
		const best = new Float64Array(characters.length + 1);
		const last = new Uint16Array(characters.length + 1);
		const offer = (token: number, score: number, end: number) => {
			if (best[end] === 0 || score >= best[end]!) {
				best[end] = score;
				last[end] = token;
			}
		};

		for (let start = 0; start < characters.length; start++) {
			const before = best[start]!;
			let isKnown = false;
			for (
				let end = start, node = childOf(0, characters[end]!);
				node !== 0;
				node = end < characters.length ? childOf(node, characters[end]!) : 0
			) {
				end++;
				const token = tokens[node]!;
				if (token !== unknown) {
					isKnown = true;
					offer(token, before + scores[token]!, end);
				}
			}

			if (!isKnown) {
				offer(unknown, before, start + 1);
			}
		}

		const ids: number[] = [];
		for (let end = characters.length; end > 0; end -= lengths[last[end]!]!) {
			// A run of unknown characters is one token.
			if (last[end] !== unknown || ids.at(-1) !== unknown) {
				ids.push(last[end]!);
			}
		}

		return ids.toReversed();
	};
};
