/**
 * An English model that reads French through a table of glosses: French texts are first turned into English words, others
 * pass unchanged. Detection depends only on the text's words, so the same text always has the same vector.
 */
import type {RawEmbedding, TextModel} from '../encoder.ts';
import type {TextTurn} from '../turn-queue.ts';
import {glossFrench} from './gloss.ts';
import {loadFrenchTable, type FrenchTable} from './table.ts';
import {tokensOf} from './tokens.ts';

/** A longer beginning would not improve the detection. */
const maxCharacters = 500;

/** French words that Italian, Portuguese or Spanish also have. */
const shared = new Set([
	'a', 'ai', 'come', 'de', 'des', 'du', 'en', 'es', 'fin', 'fu', 'la', 'las', 'le', 'les', 'me', 'mi', 'ne', 'nos', 'on', 'os',
	'per', 'que', 'sa', 'se', 'sera', 'si', 'son', 'su', 'sur', 'te', 'ton', 'tu', 'un', 'va', 'vi', 'y',
]);

/** Whether more of a text's words are exclusively French than missing from the table. */
export const isFrench = (text: string, table: FrenchTable): boolean => {
	const words = new Set(tokensOf(text.slice(0, maxCharacters), table)
		.filter(({isWord, isName}) => isWord && !isName)
		.map(({word}) => word));
	const counts = {french: 0, other: 0};
	for (const word of words) {
		const isKnown = table.words.has(word) || table.verbs.has(word);
		const isEnglish = table.english.has(word);
		counts.french += Number(isKnown && !isEnglish && !shared.has(word));
		counts.other += Number(!isKnown);
	}

	return counts.french > counts.other;
};

/** Puts the table in front of a model. @throws {ConfigurationError} in a bundle that cannot find the table. */
export const withFrench = (model: TextModel): TextModel => {
	const table = loadFrenchTable();
	return {
		async embed(text: string, signal?: AbortSignal, turn?: TextTurn): Promise<RawEmbedding> {
			if (!isFrench(text, table)) {
				return model.embed(text, signal, turn);
			}

			const {english, unknownShare} = glossFrench(text, table);
			const {vector, report} = await model.embed(english, signal, turn);
			return {vector, report: {...report, unknownShare, language: 'fr'}};
		},
		dispose: async () => model.dispose(),
	};
};
