/**
 * How well the bundled encoder reads French by its table of glosses, compared with English and with French without the
 * table. `npm run bench:french`.
 *
 * - ρ: Spearman's, between the grades of pairs and the cosines of their vectors; 90 % of 2,000 resamplings are above the bound.
 * - IPIP: of the 120 items of @bigfive-org/questions, the share of French ones that are nearest to the same English item with “I”.
 * - Profile: the mean of Spearman's ρ over texts, between the 105 directions of a French text and of its English.
 * - Known: the share of the words that the table has, names and numbers left out.
 *
 * `unseen` is the set that decides: its author had not seen the table, and it must not be read in order to change the table or
 * its rules. `everyday` and `graded` were looked at while the table was made. Not measured: long texts, slang.
 */
import {createRequire} from 'node:module';
import {loadEncoder} from '../src/embedding/load-encoder.ts';
import type {LoadedEncoder} from '../src/embedding/encoder.ts';
import {loadFrenchTable} from '../src/embedding/french/table.ts';
import {tokensOf} from '../src/embedding/french/tokens.ts';
import {bundledModel, frenchModel} from '../src/embedding/use-lite/identifier.ts';
import {builtInCatalogue, loadCatalogue} from '../src/sources/directions/catalogue.ts';
import {loadDirections} from '../src/sources/directions/vectors.ts';
import {mulberry32} from '../src/platform/clock.ts';
import {everydayPairs, everydayTexts} from './sentences/everyday-french.ts';
import {french, type GradedPair} from './sentences/pairs.ts';
import {correlate} from './sentences/correlate.ts';
import {unseenPairs, unseenTexts} from './sentences/unseen-french.ts';

type Texts = ReadonlyArray<readonly [french: string, english: string]>;
type Items = ReadonlyArray<{id: string; text: string}>;

const dot = (a: Float32Array, b: Float32Array): number => a.reduce((sum, value, i) => sum + value * b[i]!, 0);
const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

const resamplings = 2000;

const table = loadFrenchTable();
const {getItems} = createRequire(import.meta.url)('@bigfive-org/questions') as {getItems: (language: string) => Items};

const knownShare = (texts: readonly string[]): number => {
	const words = texts.flatMap(text => tokensOf(text, table)).filter(({isWord, isName}) => isWord && !isName);
	return words.filter(({word}) => table.words.has(word) || table.verbs.has(word) || table.phrases.has(word)).length / words.length;
};

const measure = async (encoder: LoadedEncoder) => {
	const embed = async (text: string) => encoder.embed(text);
	const directions = await loadDirections(await loadCatalogue(builtInCatalogue), {encoder});
	const profileOf = async (text: string) => {
		const vector = await embed(text);
		return directions.map(direction => dot(vector, direction.vector as Float32Array));
	};

	return {
		async pairs(pairs: readonly GradedPair[]): Promise<string> {
			const grades = pairs.map(([, , grade]) => grade);
			const cosines = await Promise.all(pairs.map(async ([a, b]) => dot(await embed(a), await embed(b))));
			const random = mulberry32(1);
			const drawn = Array.from({length: resamplings}, () => {
				const places = pairs.map(() => Math.floor(random() * pairs.length));
				return correlate(places.map(place => grades[place]!), places.map(place => cosines[place]!));
			}).toSorted((a, b) => a - b);
			return `${correlate(grades, cosines).toFixed(2)} (≥ ${drawn[Math.floor(resamplings * 0.1)]!.toFixed(2)})`;
		},
		async items(): Promise<string> {
			const english = await Promise.all(getItems('en').map(async ({id, text}) => ({id, vector: await embed(`I ${text.toLowerCase()}`)})));
			const right = await Promise.all(getItems('fr').map(async ({id, text}) => {
				const vector = await embed(text);
				const [nearest] = english.toSorted((a, b) => dot(b.vector, vector) - dot(a.vector, vector));
				return Number(nearest!.id === id);
			}));
			return mean(right).toFixed(2);
		},
		async profiles(texts: Texts): Promise<string> {
			return mean(await Promise.all(texts.map(async ([a, b]) => correlate(await profileOf(a), await profileOf(b))))).toFixed(2);
		},
	};
};

console.log('| | ρ, unseen | ρ, everyday | ρ, graded | IPIP | profile, unseen | profile, everyday |\n|---|--:|--:|--:|--:|--:|--:|');
for (const [name, model] of [['without the table', bundledModel], ['with the table', frenchModel]] as const) {
	const encoder = await loadEncoder({model});
	const measured = await measure(encoder);
	console.log(`| ${[
		name,
		await measured.pairs(unseenPairs), await measured.pairs(everydayPairs), await measured.pairs(french), await measured.items(),
		await measured.profiles(unseenTexts), await measured.profiles(everydayTexts),
	].join(' | ')} |`);
	await encoder.dispose();
}

const known = (pairs: readonly GradedPair[], texts: Texts) =>
	`${(100 * knownShare([...pairs.flatMap(([a, b]) => [a, b]), ...texts.map(([text]) => text)])).toFixed(1)} %`;
console.log(`\nWords known: unseen ${known(unseenPairs, unseenTexts)}, everyday ${known(everydayPairs, everydayTexts)}.`);
