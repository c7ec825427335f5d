/**
 * What a guard with the rule *named* holds (`docs/instruments.md#the-guard`): of ordinary talk, and of somebody who steers. Each life
 * hears ordinary talk, is validated, and hears 800 texts more; from the text on at which a source is noticed, its texts wait.
 *
 * `npm run bench:guard -- [lives]`: lives of each kind, 40 by default. Not measured: how long a text takes with a guard, texts that
 * come while a source is searched for in its thread, and who makes up a new name.
 */
import {maxUnreadShare} from '../src/instruments/drift/baseline.ts';
import {examine, twinTalkFor} from '../src/instruments/drift/examine.ts';
import {unusualP} from '../src/instruments/drift/findings.ts';
import {Life} from '../src/instruments/drift/life.ts';
import {usualWeight} from '../src/instruments/drift/observation.ts';
import {findChance, prepareOrdinary} from '../src/instruments/drift/ordinary.ts';
import {width} from '../src/kernel/dimensions.ts';
import type {BaselineText} from '../src/journal/validation.ts';
import {mulberry32} from '../src/platform/clock.ts';
import {hearAfter, hearBaseline} from './drift/life.ts';
import {startSpeech} from './drift/made.ts';
import {makeSentences} from './drift/sentences.ts';
import {startVisits, type Influence, type StreamText} from './drift/streams.ts';
import {share} from './drift/tables.ts';
import {embedAll} from './drift/vectors.ts';
import {machine, markdown, median} from './report.ts';

const lives = Number(process.argv[2] ?? 40);
const kinds: Readonly<Record<string, Influence | undefined>> = {
	'ordinary': undefined,
	'steering in 20 %': {culprit: 'mallory', says: 'theme', share: () => 0.2},
	'steering in 40 %': {culprit: 'mallory', says: 'theme', share: () => 0.4},
	'a known user, in 60 % of their talk': {culprit: 'bruno', share: () => 0.6},
};
const began = performance.now();
const {sentences, pools} = makeSentences();
const {vectors: shared, unread: places} = await embedAll(sentences);
const [floats, unread] = [new Float32Array(shared), new Set(places)];
const toText = (prefix: string) => (text: StreamText, i: number): BaselineText =>
	({...text, id: `${prefix}${i}`, isUnread: unread.has(text.sentence), vector: floats.subarray(text.sentence * width, (text.sentence + 1) * width)});

/** Texts by others: of the culprit and of the rest, and how many of each are held. */
type Guarded = {readonly others: number; readonly othersHeld: number; readonly theirs: number; readonly theirsHeld: number; readonly namedAt: number | null};

const guardLife = (influence: Influence | undefined, isAnswered: boolean, seed: number): Guarded => {
	const random = mulberry32(seed);
	const next = startVisits(random, startSpeech(pools, random), {isAnswered, ...(influence && {influence})});
	const baseline = hearBaseline(next).texts.map(toText('before '));
	const chance = findChance(baseline, {seed, horizon: 1000, weight: usualWeight})!;
	const life = new Life(prepareOrdinary(baseline, chance));
	const named = new Set<string>();
	const counted = {others: 0, othersHeld: 0, theirs: 0, theirsHeld: 0};
	let namedAt: number | null = null;
	let nextLook = 0;
	for (const [i, text] of hearAfter(next).map(toText('')).entries()) {
		const who = text.source === influence?.culprit ? 'theirs' : 'others';
		counted[who] += Number(!text.isOwn);
		if (!text.isOwn && named.has(text.source)) {
			counted[`${who}Held`]++;
			continue;
		}

		life.take(text);
		const voice = life.voice('heard')!;
		const last = voice.state.looks.at(-1);
		// As the watch does.
		if (last && last.p <= unusualP && last.look >= nextLook) {
			nextLook = Math.ceil(1.25 * (last.look + 5)) - 4;
			const found = examine(voice, twinTalkFor(voice, baseline, chance), life.texts).find([]);
			for (const [source, {p}] of found.unread.share <= maxUnreadShare ? found.sources : []) {
				if (p <= unusualP) {
					named.add(source);
					namedAt ??= source === influence?.culprit ? i + 1 : null;
				}
			}
		}
	}

	return {...counted, namedAt};
};

const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);
const rows = [['talk', 'answered', 'texts of the rest held', 'histories with one held', 'the culprit named', 'after texts (median)', 'their texts applied, of all (median)']];
for (const [k, [name, influence]] of Object.entries(kinds).entries()) {
	for (const isAnswered of [false, true]) {
		const all = Array.from({length: lives}, (_, i) => guardLife(influence, isAnswered, 10_000 * (k + 1) + 1000 * Number(isAnswered) + i));
		const found = all.flatMap(({namedAt}) => namedAt ?? []);
		rows.push([
			name, isAnswered ? 'yes' : 'no', share(sum(all.map(({othersHeld}) => othersHeld)), sum(all.map(({others}) => others))),
			share(all.filter(({othersHeld}) => othersHeld > 0).length, lives), influence ? share(found.length, lives) : '–',
			2 * found.length > lives ? String(median(found)) : '–',
			influence ? `${median(all.map(({theirs, theirsHeld}) => theirs - theirsHeld))} of ${median(all.map(({theirs}) => theirs))}` : '–',
		]);
		process.stderr.write(`${rows.at(-1)!.join(', ')}\n`);
	}
}

console.log(`${markdown(rows)}\n\n${((performance.now() - began) / 60_000).toFixed(1)} minutes, ${machine()}.`);
