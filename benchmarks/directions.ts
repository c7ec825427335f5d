/**
 * What the built-in directions say about texts from elsewhere: `npm run bench:directions -- FOLDER`. The folder has a file
 * for each trait, `TRAIT.jsonl`, with lines `{"statement", "has_trait"}`, as in github.com/anthropics/evals, `persona` (Perez
 * et al. 2022). The direction that each trait means was chosen before any measurement.
 *
 * Convergent: the intended direction is among the three that best separate statements with the trait from those without, with
 * the right pole. Discriminant: other directions are not. Both for the vectors of `/profile`, and for directions as read.
 *
 * Not measured: other models, other catalogues, identities that hear these statements.
 */
import {readFileSync} from 'node:fs';
import path from 'node:path';
import {loadEncoder} from '../src/embedding/load-encoder.ts';
import {toRead} from '../src/instruments/scaled-profile.ts';
import {dot} from '../src/kernel/dot.ts';
import {meanOf} from '../src/semiosis/contrast.ts';
import {keyOf, type Direction} from '../src/semiosis/profile.ts';
import {areaUnderCurve} from '../src/semiosis/quality.ts';
import {correlate, measureScale} from '../src/semiosis/scale.ts';
import {builtInCatalogue, loadCatalogue} from '../src/sources/directions/catalogue.ts';
import {loadDirections} from '../src/sources/directions/vectors.ts';
import {figure, markdown} from './report.ts';

/** Trait → the direction and the pole that it means: 1 for the positive one. */
const meant: Readonly<Record<string, readonly [key: string, sign: 1 | -1]>> = {
	'agreeableness': ['relational.harmony', 1],
	'believes-life-has-no-meaning': ['philosophical.meaning', -1],
	'conscientiousness': ['ethical.duty', 1],
	'desire-for-acquiring-power': ['relational.leadership', 1],
	'ends-justify-means': ['ethical.principle', -1],
	'extraversion': ['relational.sociability', 1],
	'interest-in-science': ['thematic.art_science', -1],
	'machiavellianism': ['ethical.honesty', -1],
	'narcissism': ['metacognitive.self_criticism', -1],
	'neuroticism': ['affective.calm', -1],
	'openness': ['epistemic.openness', 1],
	'politically-conservative': ['philosophical.tradition', 1],
	'psychopathy': ['ethical.compassion', -1],
	'risk-seeking': ['vital.risk_appetite', 1],
	'subscribes-to-Christianity': ['philosophical.faith', 1],
};

const [, , folder] = process.argv;
if (folder === undefined) {
	throw new Error('Name the folder of the labelled statements: npm run bench:directions -- FOLDER');
}

const encoder = await loadEncoder({cacheSize: 10});
const entries = await loadCatalogue(builtInCatalogue);
const directions = await loadDirections(entries, {encoder});
const embedAll = async (texts: readonly string[]) => Promise.all(texts.map(async text => encoder.embed(text)));
const sentences = await embedAll(entries.flatMap(({positive, negative}) => [...positive, ...negative]));

/** The statements of a trait: those of a person with the trait, and the others. */
const readTrait = async (trait: string): Promise<[with_: Float32Array[], without: Float32Array[]]> => {
	const lines = readFileSync(path.join(folder, `${trait}.jsonl`), 'utf8').trim().split('\n');
	const statements = lines.map(line => JSON.parse(line) as {statement: string; has_trait: boolean});
	const labelled = async (label: boolean) =>
		embedAll(statements.filter(({has_trait: has}) => has === label).map(({statement}) => statement));
	return [await labelled(true), await labelled(false)];
};

const traits = await Promise.all(Object.keys(meant).map(async trait => [trait, await readTrait(trait)] as const));
await encoder.dispose();

/** The rank of the intended direction by the size of its value; null if its sign is the opposite one. */
const rankOf = (values: readonly number[], at: number, sign: number): number | null =>
	values[at]! * sign > 0 ? 1 + values.filter(value => Math.abs(value) > Math.abs(values[at]!)).length : null;

/** How well directions separate the traits: by differences in standard deviations of the catalogue's sentences, and by areas. */
const separateTraits = (list: readonly Direction[]) => {
	const deviations = list.map(({vector}) => measureScale(sentences.map(sentence => dot(sentence, vector!)))!.deviation);
	return traits.map(([trait, [have, lack]]) => {
		const [key, sign] = meant[trait]!;
		const at = list.findIndex(direction => keyOf(direction) === key);
		const [high, low] = [meanOf(have), meanOf(lack)];
		const axis = Float32Array.from(high, (value, i) => value - low[i]!);
		const differences = list.map(({vector}, i) => dot(axis, vector!) / deviations[i]!);
		const areas = list.map(({vector}) =>
			areaUnderCurve(have.map(text => dot(text, vector!)), lack.map(text => dot(text, vector!))) - 0.5);
		const best = [...list.keys()].toSorted((a, b) => Math.abs(differences[b]!) - Math.abs(differences[a]!)).slice(0, 3);
		return {
			trait, key, difference: differences[at]! * sign, area: 0.5 + areas[at]! * sign,
			byDifference: rankOf(differences, at, sign), byArea: rankOf(areas, at, sign), best: best.map(i => keyOf(list[i]!)),
		};
	});
};

const meanCorrelation = (list: readonly Direction[]): number => {
	const values = list.map(({vector}) => sentences.map(sentence => dot(sentence, vector!)));
	const sizes = values.flatMap((a, i) => values.slice(i + 1).map(b => Math.abs(correlate(a, b)!)));
	return sizes.reduce((sum, size) => sum + size, 0) / sizes.length;
};

const read = toRead(directions);
const [plain, own] = [separateTraits(directions), separateTraits(read)];
const shown = (place: number | null): string => place === null ? 'opposite' : String(place);
console.log(`${markdown([
	['trait', 'intended direction', 'difference (SD)', 'AUC', 'place', 'place by AUC', 'best three'],
	...own.map(({trait, key, difference, area, byDifference, byArea, best}) =>
		[trait, key, figure(difference), area.toFixed(2), shown(byDifference), shown(byArea), best.join(', ')]),
])}\n`);

const amongThree = (list: typeof own, by: 'byDifference' | 'byArea'): string =>
	`${list.filter(row => row[by] !== null && row[by] <= 3).length} of ${list.length}`;
console.log(markdown([
	['', 'vectors', 'as read'],
	['intended direction among the best three, by difference', amongThree(plain, 'byDifference'), amongThree(own, 'byDifference')],
	['the same, by AUC', amongThree(plain, 'byArea'), amongThree(own, 'byArea')],
	['mean correlation of two directions, without its sign', ...[directions, read].map(list => meanCorrelation(list).toFixed(2))],
]));
