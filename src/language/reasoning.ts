/**
 * Detects a text that reasons instead of translating, by the markers in
 * `data/reasoning-markers.json`; that file defines what a marker is.
 */
import {readFileSync} from 'node:fs';
import {Type, Value} from '../typebox.ts';

const Markers = Type.Array(Type.String({minLength: 1}), {minItems: 1});
const MarkerFile = Type.Object({english: Markers, french: Markers});

/**
 * Reduces a text to lower-case words without accents, one space around each. So a marker matches
 * whole words, whatever their accents, apostrophes or line breaks.
 */
const fold = (text: string): string =>
	` ${text.normalize('NFKD').replaceAll(/[\p{Mark}\p{Format}]/gu, '').toLowerCase().replaceAll(/[^\p{Letter}\p{Number}]+/gu, ' ').trim()} `;

const {english, french} = Value.Parse(MarkerFile, JSON.parse(readFileSync(new URL('../../data/reasoning-markers.json', import.meta.url), 'utf8')));

const markers = [...english, ...french].map(marker => fold(marker));

export const hasReasoning = (text: string): boolean => {
	const words = fold(text);
	return markers.some(marker => words.includes(marker));
};
