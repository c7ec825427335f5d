/**
 * Detects a text that reasons instead of translating, by the markers in
 * `data/reasoning-markers.json`; that file defines what a marker is.
 */
import markers from '../../data/reasoning-markers.json' with {type: 'json'};

/**
 * Reduces a text to lower-case words without accents, one space around each. So a marker matches
 * whole words, whatever their accents, apostrophes or line breaks.
 */
const fold = (text: string): string =>
	` ${text.normalize('NFKD').replaceAll(/[\p{Mark}\p{Format}]/gu, '').toLowerCase().replaceAll(/[^\p{Letter}\p{Number}]+/gu, ' ').trim()} `;

const folded = [...markers.english, ...markers.french].map(marker => fold(marker));

export const hasReasoning = (text: string): boolean => {
	const words = fold(text);
	return folded.some(marker => words.includes(marker));
};
