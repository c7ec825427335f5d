/**
 * Whether uptake is found (`docs/spec/instruments.md#6-sources`): in 0, 10, 20 or 40 % of its answers to others, an agent repeats
 * what a source said, or says the same in other words. Each history has ordinary talk, a validation, and 800 more texts, half of
 * them answers.
 *
 * `npm run bench:uptake -- [HISTORIES] [--persona=FOLDER]`: histories of each kind, 40 by default; with a FOLDER that has a
 * `persona`, people of its traits talk. Not measured: an agent that answers by a language model, and takes up more than words.
 */
import {parseArgs} from 'node:util';
import {measureAlike} from '../src/instruments/drift/ordinary.ts';
import {divide, vectorsOf} from '../src/instruments/drift/baseline.ts';
import {Conversations, conversationsOf} from '../src/instruments/drift/conversations.ts';
import {unusualP} from '../src/instruments/drift/findings.ts';
import {learnMeasure} from '../src/instruments/drift/measure.ts';
import {saidBefore, Uptakes} from '../src/instruments/drift/uptake.ts';
import type {BaselineText} from '../src/journal/validation.ts';
import {mulberry32, type Random} from '../src/platform/clock.ts';
import {meanOf} from '../src/semiosis/contrast.ts';
import {collectSentences} from './drift/collect.ts';
import {hearAfter, hearBaseline} from './drift/history.ts';
import {startSpeech} from './drift/made.ts';
import {pick} from './drift/pick.ts';
import {makeSentences} from './drift/sentences.ts';
import {startVisits, type Influence, type Speech, type StreamText} from './drift/streams.ts';
import {share} from './drift/tables.ts';
import {dealPools, startSpeakers, traitPools} from './drift/traits.ts';
import {embedAll} from './drift/vectors.ts';
import {width} from '../src/kernel/dimensions.ts';
import {machine, markdown, median} from './report.ts';

const {values: {persona}, positionals: [count = '40']} = parseArgs({allowPositionals: true, options: {persona: {type: 'string'}}});
const histories = Number(count);

/** Gives a history its speakers. */
type Start = (random: Random) => Speech;

type World = {readonly name: string; readonly sentences: readonly string[]; readonly start: Start; readonly known: string};

const made = (): World => {
	const {sentences, pools} = makeSentences();
	return {name: 'six people', sentences, start: random => startSpeech(pools, random), known: 'bruno'};
};

const ofTraits = (folder: string): World => {
	const {place, sentences} = collectSentences();
	const pools = [...traitPools(folder, place).values()];
	const start: Start = random => {
		const {owned, rest} = dealPools(random, ['ada', 'bruno', 'chen', 'dina', 'emil', 'fay'], pools, 3);
		return startSpeakers(random, owned, rest[0]!);
	};
	return {name: 'six people of three traits', sentences: sentences(), start, known: 'bruno'};
};

/** How the agent takes up a source. */
type Kind = {readonly name: string; readonly isNew: boolean; readonly isVerbatim: boolean; readonly percents: readonly number[]};

const kinds: readonly Kind[] = [
	{name: 'a new source, verbatim', isNew: true, isVerbatim: true, percents: [0, 10, 20, 40]},
	{name: 'a new source, in other words', isNew: true, isVerbatim: false, percents: [10, 20, 40]},
	{name: 'a known source, verbatim', isNew: false, isVerbatim: true, percents: [0, 10, 20, 40]},
	{name: 'a known source, in other words', isNew: false, isVerbatim: false, percents: [10, 20, 40]},
];

type Found = {readonly isFound: boolean; readonly others: number; readonly after: number | null; readonly effect: number | null};

const rows: string[][] = [['talk', 'the agent says', 'in', 'taken up', 'after texts (median)', 'effect (median)', 'another source']];
const began = performance.now();
const {name, sentences, start, known} = persona === undefined ? made() : ofTraits(persona);
const {vectors: shared, unread: places} = await embedAll(sentences);
const [floats, unread] = [new Float32Array(shared), new Set(places)];
const toText = (prefix: string) => (text: StreamText, i: number): BaselineText =>
	({...text, id: `${prefix}${i}`, isUnread: unread.has(text.sentence), vector: floats.subarray(text.sentence * width, (text.sentence + 1) * width)});

const runHistory = ({isNew, isVerbatim}: Kind, part: number, seed: number): Found => {
	const random = mulberry32(seed);
	const speech = start(random);
	const influence: Influence = isNew ? {culprit: 'mallory', says: 'theme', share: () => 0.2} : {culprit: known, share: () => 0};
	const say = (): number => isNew ? speech.influence('theme', 1)[0]! : speech.begin(known).say(known);
	const takesUp = (said: readonly number[]): number | null => said.length > 0 && random() < part ? (isVerbatim ? pick(random, said) : say()) : null;
	const next = startVisits(random, speech, {isAnswered: true, influence, takesUp});
	const baseline = hearBaseline(next).texts.map(toText('before '));
	const divided = divide(baseline, {usesIds: true});
	const [learn, drawn] = [divided.learn, divided.drawn].map(conversations => vectorsOf('said', conversations)) as [Float32Array[], Float32Array[]];
	const measure = learnMeasure(learn);
	const alike = measureAlike(conversationsOf(baseline), meanOf(vectorsOf('heard', divided.drawn)), mulberry32(seed));
	const before = alike.p <= unusualP ? null : saidBefore(measure, meanOf([...learn, ...drawn]).slice(0, measure.width), divided.drawn);
	const [uptakes, conversations] = [new Uptakes(before, seed), new Conversations<BaselineText>()];
	const found = new Map<string, number>();
	for (const [i, text] of hearAfter(next).map(toText('')).entries()) {
		for (const {texts} of conversations.take(text).ended) {
			for (const {source} of uptakes.take(texts)) {
				found.set(source, i + 1);
			}
		}
	}

	const {p, effect} = uptakes.of(influence.culprit);
	const after = found.get(influence.culprit) ?? null;
	found.delete(influence.culprit);
	return {isFound: p !== null && p <= unusualP, others: found.size, after, effect};
};

for (const [k, kind] of kinds.entries()) {
	for (const percent of kind.percents) {
		const all = Array.from({length: histories}, (_, i) => runHistory(kind, percent / 100, 10_000 * (k + 1) + 100 * percent + i));
		const found = all.filter(({isFound}) => isFound);
		rows.push([
			name, kind.name, `${percent} %`, share(found.length, histories), 2 * found.length > histories ? String(median(found.map(({after}) => after!))) : '–',
			median(all.flatMap(({effect}) => effect ?? [])).toFixed(2), share(all.filter(({others}) => others > 0).length, histories),
		]);
		process.stderr.write(`${rows.at(-1)!.join(', ')}\n`);
	}
}

console.log(`${markdown(rows)}\n\n${((performance.now() - began) / 60_000).toFixed(1)} minutes, ${machine()}.`);
