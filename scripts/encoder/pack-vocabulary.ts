/**
 * Packs the vocabulary as a trie over characters. Nodes are in breadth-first order, so the
 * children of node i are the nodes from `trie.children[i]` to `trie.children[i + 1]`, in the order of their characters.
 */
import type {SourceModel} from './model-package.ts';

/** The first tokens are special ones, which never stand for text. */
const reserved = 6;

type Node = {token: number; children: Map<string, Node>};

/** SentencePiece writes a space as `▁`. */
const charactersIn = (token: string): number => Array.from(token.replaceAll('▁', '')).length;

export const packVocabulary = (vocabulary: SourceModel['vocabulary']) => {
	const root: Node = {token: 0, children: new Map()};
	for (const [id, [token]] of vocabulary.entries()) {
		if (id >= reserved) {
			let node = root;
			for (const character of token) {
				let next = node.children.get(character);
				if (!next) {
					next = {token: 0, children: new Map()};
					node.children.set(character, next);
				}

				node = next;
			}

			node.token = id;
		}
	}

	const symbols = [0];
	const tokens: number[] = [];
	const children: number[] = [];
	const nodes = [root];
	for (const node of nodes) {
		tokens.push(node.token);
		children.push(nodes.length);
		for (const character of [...node.children.keys()].toSorted((a, b) => a.codePointAt(0)! - b.codePointAt(0)!)) {
			symbols.push(character.codePointAt(0)!);
			nodes.push(node.children.get(character)!);
		}
	}

	children.push(nodes.length);
	return {
		'trie.symbols': Uint16Array.from(symbols),
		'trie.tokens': Uint16Array.from(tokens),
		'trie.children': Uint16Array.from(children),
		'token.scores': Float64Array.from(vocabulary, ([, score]) => score ?? 0),
		'token.lengths': Uint8Array.from(vocabulary, ([token]) => Array.from(token).length),
		/** How many characters of a text the token stands for; 0 for the unknown token. */
		'token.characters': Uint8Array.from(vocabulary, ([token], id) => id === 0 ? 0 : charactersIn(token)),
	};
};
