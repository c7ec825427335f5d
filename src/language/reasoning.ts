/**
 * Whether a text reasons where it should only translate, by the markers in
 * `data/reasoning-markers.json`; the file says what makes a marker.
 */
import {readFileSync} from 'node:fs';
import {Type} from 'typebox';
import {Value} from 'typebox/value';

const Markers = Type.Array(Type.String({minLength: 1}), {minItems: 1});
const MarkerFile = Type.Object({english: Markers, french: Markers});

/**
 * Words in lower case without accents, one space around each: every other sign only parts words.
 * So a marker is found as whole words, whatever its accents, apostrophes or line breaks.
 */
const fold = (text: string): string =>
	` ${text.normalize('NFKD').replaceAll(/[\p{Mark}\p{Format}]/gu, '').toLowerCase().replaceAll(/[^\p{Letter}\p{Number}]+/gu, ' ').trim()} `;

const {english, french} = Value.Parse(MarkerFile, JSON.parse(readFileSync(new URL('../../data/reasoning-markers.json', import.meta.url), 'utf8')));

const markers = [...english, ...french].map(marker => fold(marker));

export const hasReasoning = (text: string): boolean => {
	const words = fold(text);
	return markers.some(marker => words.includes(marker));
};
