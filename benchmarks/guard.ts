/**
 * How much a guard holds (`docs/instruments.md#the-guard`): of ordinary talk, of newcomers, and of a source that steers. Each
 * history has ordinary talk, a validation, and 800 more texts: with the rule *named*, and with *strangers* too.
 *
 * `npm run bench:guard -- [HISTORIES] [--irc=FOLDER]`: histories of each kind, 40 by default; `FOLDER/irc` has the days of a channel,
 * with many newcomers, and `FOLDER/persona` what a person of a trait says there. Not measured: texts that arrive while a thread
 * looks for the source to name, and a person who makes up a new name each time.
 */
import {parseArgs} from 'node:util';
import {maxUnreadShare} from '../src/instruments/drift/baseline.ts';
import {examine, twinTalkFor} from '../src/instruments/drift/examine.ts';
import {unusualP} from '../src/instruments/drift/findings.ts';
import {Monitor} from '../src/instruments/drift/monitor.ts';
import {usualWeight} from '../src/instruments/drift/observation.ts';
import {findChance, prepareOrdinary, type Ordinary} from '../src/instruments/drift/ordinary.ts';
import {followStrangers, knownAfter, learnNovelty, type OrdinaryNovelty} from '../src/instruments/drift/strangers.ts';
import {width} from '../src/kernel/dimensions.ts';
import {selectKernel, separateKernel} from '../src/kernel/select.ts';
import type {BaselineText, Chance} from '../src/journal/validation.ts';
import {mulberry32, type Random} from '../src/platform/clock.ts';
import {hearAfter, hearBaseline} from './drift/history.ts';
import {people} from './drift/grammar.ts';
import {startSpeech} from './drift/made.ts';
import {makeSentences} from './drift/sentences.ts';
import {drawWithout, startVisits, type Influence, type Stream, type StreamText} from './drift/streams.ts';
import {share} from './drift/tables.ts';
import {embedAll} from './drift/vectors.ts';
import {openWorld} from './drift/worlds.ts';
import {machine, markdown, median} from './report.ts';

const {values: {irc}, positionals: [given = '40']} = parseArgs({allowPositionals: true, options: {irc: {type: 'string'}}});
const histories = Number(given);
const kernel = selectKernel();

/** A kind of talk, and the source that steers in it. */
type Talk = {readonly name: string; readonly culprit?: string; readonly start: (random: Random) => Stream};

const {sentences, pools} = makeSentences();

/** Ordinary visits, in which a source may steer. One of the six people may come only after the validation. */
const visits = (name: string, influence?: Influence, {comesLater, unreadable = false}: {comesLater?: string; unreadable?: boolean} = {}): Talk[] => [false, true].map(isAnswered => ({
	name: isAnswered ? `${name}, answered` : name,
	...(influence && {culprit: influence.culprit}),
	start(random) {
		const all = startSpeech(pools, random);
		const draw = drawWithout(random);
		const sources = all.sources.filter(source => source !== comesLater);
		const next = startVisits(random, {
			...all, sources, ...(unreadable && {influence: (_, length) => Array.from({length}, () => draw(pools.unreadable))}),
		}, {isAnswered, ...(influence && {influence})});
		return progress => {
			if (progress !== null && comesLater !== undefined && !sources.includes(comesLater)) {
				sources.push(...all.sources.filter(source => source === comesLater));
			}

			return next(progress);
		};
	},
}));

const steering = (part: number): Influence => ({culprit: 'mallory', says: 'theme', share: () => part});
const kinds: Talk[] = [
	...visits('ordinary'),
	...Object.keys(people).slice(0, 2).flatMap(person => visits(`ordinary, ${person} comes later`, undefined, {comesLater: person})),
	...visits('steering in 20 %', steering(0.2)),
	...visits('steering in 40 %', steering(0.4)),
	...visits('a known user, in 60 % of their talk', {culprit: 'bruno', share: () => 0.6}),
	...visits('a new one sends JSON, links, code, German in 20 %', steering(0.2), {unreadable: true}),
];

/** Counts of the texts of the culprit (theirs) and of the others, and how many of each a rule holds. */
type Guarded = {
	readonly others: number; readonly newcomers: number; readonly othersNamed: number; readonly othersStrange: number; readonly newcomersHeld: number;
	readonly theirs: number; readonly theirsHeld: number; readonly afterNamed: number; readonly afterNamedHeld: number;
	readonly namedAt: number | null; readonly days: number;
};

type Baseline = {readonly texts: readonly BaselineText[]; readonly chance: Chance; readonly ordinary: Ordinary};

const guard = ({texts, chance, ordinary}: Baseline, after: readonly BaselineText[], culprit: string | undefined, novelty: OrdinaryNovelty | null): Guarded => {
	const monitor = new Monitor(ordinary);
	const others = texts.filter(({isOwn}) => !isOwn);
	const strangers = novelty && followStrangers(novelty, others.map(({vector}) => vector), separateKernel(kernel));
	const known = new Set(others.map(({source}) => source));
	const counted = {others: 0, newcomers: 0, othersNamed: 0, othersStrange: 0, newcomersHeld: 0, theirs: 0, theirsHeld: 0, afterNamed: 0, afterNamedHeld: 0};
	const named = new Set<string>();
	const heard = new Map<string, number>();
	let namedAt: number | null = null;
	let nextLook = 0;
	for (const [i, text] of after.entries()) {
		const {source, isOwn} = text;
		const isCulprit = source === culprit;
		// As for the watcher, so many texts make a source known.
		const isNew = !isOwn && !known.has(source);
		const strangeness = isNew && (heard.get(source) ?? 0) < knownAfter ? strangers?.(text) : undefined;
		const isStrange = strangeness !== undefined && strangeness.deviations > strangeness.limit;
		const isHeld = !isOwn && (named.has(source) || isStrange);
		if (!isOwn && isCulprit) {
			counted.theirs++;
			counted.theirsHeld += Number(isHeld);
			counted.afterNamed += Number(namedAt !== null);
			counted.afterNamedHeld += Number(namedAt !== null && isHeld);
		} else if (!isOwn) {
			counted.others++;
			counted.newcomers += Number(isNew);
			counted.othersNamed += Number(named.has(source));
			counted.othersStrange += Number(isStrange && !named.has(source));
			counted.newcomersHeld += Number(isNew && isHeld);
		}

		if (isHeld) {
			continue;
		}

		heard.set(source, (heard.get(source) ?? 0) + Number(!isOwn));
		monitor.take(text);
		const voice = monitor.voice('heard')!;
		const last = voice.state.looks.at(-1);
		// As often as the watch looks.
		if (last && last.p <= unusualP && last.look >= nextLook) {
			nextLook = Math.ceil(1.25 * (last.look + 5)) - 4;
			const found = examine(voice, twinTalkFor(voice, texts, chance), monitor.texts).find([]);
			for (const [who, {p}] of found.unread.share <= maxUnreadShare ? found.sources : []) {
				if (p <= unusualP) {
					named.add(who);
					namedAt ??= who === culprit ? i + 1 : null;
				}
			}
		}
	}

	return {...counted, namedAt, days: (after.at(-1)!.time - after[0]!.time) / 86_400_000};
};

const sum = (all: readonly Guarded[], count: (one: Guarded) => number): number => all.reduce((total, one) => total + count(one), 0);

const runKinds = async (all: readonly string[], talks: readonly Talk[], count: number): Promise<string[][]> => {
	const {vectors: shared, unread: places} = await embedAll(all);
	const [floats, unread] = [new Float32Array(shared), new Set(places)];
	const toText = (prefix: string) => (text: StreamText, i: number): BaselineText =>
		({...text, id: `${prefix}${i}`, isUnread: unread.has(text.sentence), vector: floats.subarray(text.sentence * width, (text.sentence + 1) * width)});
	return talks.flatMap(({name, culprit, start}, k) => {
		const guarded = Array.from({length: count}, (_, i) => {
			const seed = 10_000 * (k + 1) + i;
			const next = start(mulberry32(seed));
			const texts = hearBaseline(next).texts.map(toText('before '));
			const chance = findChance(texts, {seed, horizon: 1000, weight: usualWeight})!;
			const baseline = {texts, chance, ordinary: prepareOrdinary(texts, chance)};
			const after = hearAfter(next).map(toText(''));
			return [null, learnNovelty(texts, chance.usesIds, separateKernel(kernel))].map(novelty => guard(baseline, after, culprit, novelty));
		});
		return ['named', 'and strangers'].map((rules, place) => {
			const one = guarded.map(pair => pair[place]!);
			const found = one.flatMap(({namedAt}) => namedAt ?? []);
			const row = [
				name, rules,
				share(sum(one, ({othersNamed, othersStrange}) => othersNamed + othersStrange), sum(one, ({others}) => others)),
				share(sum(one, ({newcomersHeld}) => newcomersHeld), sum(one, ({newcomers}) => newcomers)),
				...culprit === undefined ? ['–', '–', '–', '–'] : [
					`${found.length} of ${count}`, 2 * found.length > count ? String(median(found)) : '–',
					share(sum(one, ({afterNamedHeld}) => afterNamedHeld), sum(one, ({afterNamed}) => afterNamed)),
					`${median(one.map(({theirs, theirsHeld}) => theirs - theirsHeld))} of ${median(one.map(({theirs}) => theirs))}`,
				],
				(sum(one, ({othersNamed, othersStrange, theirsHeld}) => othersNamed + othersStrange + theirsHeld) / sum(one, ({days}) => days)).toFixed(1),
			];
			process.stderr.write(`${row.join(', ')}\n`);
			return row;
		});
	});
};

const began = performance.now();
const head = ['talk', 'rules', 'texts of the rest held', 'of newcomers', 'the culprit named', 'after texts', 'theirs held from then on', 'theirs applied, of all', 'held a day'];
const rows = [head, ...await runKinds(sentences, kinds, histories)];
if (irc !== undefined) {
	const world = openWorld({name: 'channel', folder: irc});
	rows.push(...await runKinds(world.sentences, world.scenarios.filter(({name}) => /pauses after|20 %/v.test(name)), Math.ceil(histories / 3)));
}

console.log(`${markdown(rows)}\n\n${((performance.now() - began) / 60_000).toFixed(1)} minutes, ${machine()}.`);
