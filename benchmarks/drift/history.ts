/** One history: ordinary talk, a validation, and 800 more texts, at which every drift instrument looks 36 times. */
import {maxTexts, maxUnreadShare, minBaseline} from '../../src/instruments/drift/baseline.ts';
import {nearestLimit} from '../../src/instruments/drift/chart.ts';
import {Conversations} from '../../src/instruments/drift/conversations.ts';
import {examine, twinTalkFor, type Findings} from '../../src/instruments/drift/examine.ts';
import {unusualP} from '../../src/instruments/drift/findings.ts';
import {Monitor, type FollowedVoice} from '../../src/instruments/drift/monitor.ts';
import {usualWeight} from '../../src/instruments/drift/observation.ts';
import {findChance, prepareOrdinary} from '../../src/instruments/drift/ordinary.ts';
import {defaultHorizon, rankOf} from '../../src/instruments/drift/paths.ts';
import {runTwins} from '../../src/instruments/drift/twins.ts';
import {isOf, type Voice} from '../../src/instruments/source-of.ts';
import {mulberry32} from '../../src/platform/clock.ts';
import type {BaselineText} from '../../src/journal/validation.ts';
import {noticeEchoes, type Echoes} from './echoes.ts';
import {exceedsAdwin, exceedsCosine, exceedsMmd} from './peers.ts';
import type {Scenario, Stream, StreamText} from './streams.ts';

/** How many texts of others a baseline has, and how many texts come after it. */
const [usuallyHeard, textsAfter] = [600, 800];

export const peers = {'cosine of centroids': exceedsCosine, MMD: exceedsMmd, ADWIN: exceedsAdwin, 'always alarm': () => true};

export type PeerName = keyof typeof peers;

/** The findings on one voice. */
export type VoiceResult = {
	/** The number of texts at the first look with p ≤ .05. */
	readonly foundAt: number | null;
	/** Whether p_now ≤ .05 at some look; for ordinary talk only. */
	readonly isNow: boolean;
	/** The source that is named after all texts; in ordinary talk, at any fourth look. */
	readonly named: string | null;
	readonly hasDirection: boolean;
	readonly pWithoutTop: number | null;
	/** The share of badly read texts in what is found, and p without them. */
	readonly unread: {readonly share: number; readonly pWithout: number} | null;
	readonly conversations: number;
	/** The first alarm of the chart, and the source that it blames most; null if it blames none. */
	readonly alarm: {readonly texts: number; readonly blamed: string | null} | null;
};

export type HistoryResult = {
	readonly baseline: {readonly texts: number; readonly conversations: number};
	readonly usesIds: boolean;
	readonly isAlike: boolean;
	readonly isUnsteady: boolean;
	/** Whether the note says that p may be too small because of the lengths of conversations. */
	readonly isDoubtful: boolean;
	readonly heard: VoiceResult;
	readonly said: VoiceResult | null;
	/** For each source that was tested. */
	readonly changed: ReadonlyArray<{readonly source: string; readonly p: number}>;
	readonly peers: Readonly<Record<PeerName, boolean>>;
	/** Null unless the scenario tests the echo guard. */
	readonly echoes: Echoes | null;
};

/** The parts of a world that a history needs. */
export type Senses = {readonly vectors: readonly Float32Array[]; /** The badly read sentences. */ readonly unread: ReadonlySet<number>; readonly directions: readonly Float32Array[]};

/** The talk until there is enough for a validation. */
export const hearBaseline = (next: Stream, heardBefore = usuallyHeard): {texts: StreamText[]; conversations: number} => {
	const conversations = new Conversations<StreamText>();
	const withHeard = new Set<object>();
	const texts: StreamText[] = [];
	let heard = 0;
	while (texts.length < maxTexts && (heard < heardBefore || withHeard.size < minBaseline.conversations)) {
		for (const text of next(null)) {
			texts.push(text);
			const {conversation} = conversations.take(text);
			if (!text.isOwn) {
				heard++;
				withHeard.add(conversation);
			}
		}
	}

	return {texts, conversations: withHeard.size};
};

export const hearAfter = (next: Stream): StreamText[] => {
	const texts: StreamText[] = [];
	while (texts.length < textsAfter) {
		texts.push(...next(texts.length / textsAfter));
	}

	return texts.slice(0, textsAfter);
};

/** If much of the difference comes from badly read texts, no source is named. */
const reliableOf = (findings: Findings): Findings | null => findings.unread.share <= maxUnreadShare ? findings : null;

const sourceIn = (findings: Findings): string | null => {
	const [top] = reliableOf(findings)?.sources ?? [];
	return top && top[1].p <= unusualP ? top[0] : null;
};

/** The same seed gives the same history. */
export const runHistory = ({vectors, unread, directions}: Senses, {start, culprit, heardBefore, asksEchoes = false}: Scenario, seed: number): HistoryResult => {
	const next = start(mulberry32(seed));
	const before = hearBaseline(next, heardBefore);
	const [baseline, after] = [before.texts, hearAfter(next)]
		.map((texts, i) => texts.map((text, k): BaselineText => ({...text, id: `${i}.${k}`, isUnread: unread.has(text.sentence), vector: vectors[text.sentence]!}))) as [BaselineText[], BaselineText[]];
	const chance = findChance(baseline, {seed, horizon: defaultHorizon, weight: usualWeight})!;
	const monitor = new Monitor(prepareOrdinary(baseline, chance));
	const alarms = new Map<Voice, VoiceResult['alarm']>();
	const namedBefore = new Map<Voice, string>();
	for (const [i, text] of after.entries()) {
		for (const happening of monitor.take(text)) {
			if (happening.kind === 'unusual' && culprit === undefined && happening.look.look % 4 === 0) {
				const followed = monitor.voice(happening.voice)!;
				const name = sourceIn(examine(followed, twinTalkFor(followed, baseline, chance), i + 1).find([]));
				if (name !== null && !namedBefore.has(happening.voice)) {
					namedBefore.set(happening.voice, name);
				}
			}

			if (happening.kind === 'alarm' && !alarms.has(happening.voice)) {
				const {chart} = monitor.voice(happening.voice)!;
				alarms.set(happening.voice, {texts: i + 1, blamed: chart.blame(nearestLimit(chart.readings))[0]?.source ?? null});
			}
		}
	}

	const measureVoice = (followed: FollowedVoice): VoiceResult => {
		const {voice, chart, state: {looks, foundAt}, ordinary: {chance: {medians}}} = followed;
		const talk = twinTalkFor(followed, baseline, chance);
		// Needed for ordinary talk only.
		const distances = culprit === undefined ? runTwins(talk, textsAfter) : null;
		const findings = foundAt === null ? null : examine(followed, talk, textsAfter).find(directions);
		const reliable = findings && reliableOf(findings);
		return {
			foundAt,
			isNow: distances !== null && looks.some(({look, distance}) => rankOf(distances.map(twin => twin[look]!), distance * medians[look]!) <= unusualP),
			named: namedBefore.get(voice) ?? (findings && sourceIn(findings)),
			hasDirection: reliable?.directions.some(({p}) => p <= unusualP) ?? false,
			pWithoutTop: reliable?.pWithoutTopSource ?? null,
			unread: findings && findings.unread,
			conversations: chart.conversations,
			alarm: alarms.get(voice) ?? null,
		};
	};

	const [heardVoice, saidVoice] = [monitor.voice('heard')!, monitor.voice('said')];
	const {width} = heardVoice.ordinary.calibration.measure;
	const toVectors = (texts: readonly BaselineText[]) => texts.filter(text => isOf('heard', text)).map(({vector}) => vector.subarray(0, width));
	const stream = {before: toVectors(baseline), after: toVectors(after)};
	const sources = new Set(after.filter(text => isOf('heard', text)).map(({source}) => source));
	return {
		baseline: {texts: baseline.length, conversations: before.conversations},
		usesIds: chance.usesIds,
		isAlike: chance.alike.p <= unusualP,
		isDoubtful: monitor.isLonger || monitor.isOfFew,
		isUnsteady: chance.stationaryP !== null && chance.stationaryP <= unusualP,
		heard: measureVoice(heardVoice),
		said: saidVoice && measureVoice(saidVoice),
		changed: [...sources].flatMap(source => {
			const {p} = monitor.changeOf(source);
			return p === null ? [] : [{source, p}];
		}),
		peers: Object.fromEntries(Object.entries(peers).map(([name, exceeds]) => [name, exceeds(stream, mulberry32(seed))])) as HistoryResult['peers'],
		echoes: asksEchoes ? noticeEchoes(baseline, after, culprit) : null,
	};
};
