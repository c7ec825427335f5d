/** Histories for the properties of drift: a baseline of ordinary talk of each kind, and more talk after its validation. */
import {examine, twinTalkFor} from '../../../src/instruments/drift/examine.ts';
import {Monitor} from '../../../src/instruments/drift/monitor.ts';
import {usualWeight} from '../../../src/instruments/drift/observation.ts';
import {findChance, prepareOrdinary, type Ordinary} from '../../../src/instruments/drift/ordinary.ts';
import {horizons} from '../../../src/instruments/drift/paths.ts';
import {mulberry32} from '../../../src/platform/clock.ts';
import type {BaselineText, Chance} from '../../../src/journal/validation.ts';
import {normalise} from '../../../src/kernel/normalise.ts';
import {startTalk} from '../simulated-talk.ts';
import {unitVector} from '../run-texts.ts';

const width = 64;

/** The vector that steering repeats. */
const steeredTo = unitVector(999, width).subarray(0, width);

type Visit = readonly BaselineText[];

const answer = (visit: Visit, conversation: string | null = null): BaselineText[] => visit.flatMap(text => [
	{...text, conversation},
	{...text, conversation, id: `re ${text.id}`, source: 'self', isOwn: true, vector: visit[0]!.vector},
]);

/** How the visits of six users, of one to seven texts each, become texts; and the size of their baseline. */
export const kinds = {
	'visits': {baseline: 600, start: () => (visit: Visit) => visit},
	'visits whose texts are answered': {baseline: 1200, start: () => (visit: Visit) => answer(visit)},
	'visits with ids whose texts are answered': {baseline: 1200, start: () => (visit: Visit) => answer(visit, visit[0]!.id)},
	'talk that never pauses': {
		baseline: 3000,
		start() {
			let time = 0;
			return (visit: Visit) => visit.map(text => ({...text, time: time += 60_000}));
		},
	},
} satisfies Record<string, {baseline: number; start: () => (visit: Visit) => Visit}>;

export type Kind = keyof typeof kinds;

/**
 * The texts of a history, those of the baseline first.
 * @param steered the share of the visits after it that are by one source, which says nearly the same every time
 */
export const hear = (kind: Kind, seed: number, {after = 800, steered = 0} = {}): {baseline: BaselineText[]; after: BaselineText[]} => {
	const random = mulberry32(seed);
	const talk = startTalk(random, {width, length: width});
	const {baseline, start} = kinds[kind];
	const shape = start();
	const take = (count: number, share: number): BaselineText[] => {
		const texts: BaselineText[] = [];
		while (texts.length < count) {
			const isSteered = random() < share;
			texts.push(...shape(talk.visit().slice(0, 1 + Math.floor(7 * random())).map(text => isSteered
				? {...text, source: 'mallory', vector: normalise(steeredTo.map(value => value + (random() - 0.5) * 3 / Math.sqrt(width)))}
				: text)));
		}

		return texts.slice(0, count);
	};

	return {baseline: take(baseline, 0), after: take(after, steered)};
};

/** Makes the agent repeat Mallory in a share of its answers to others. */
export const repeatMallory = (texts: readonly BaselineText[], share: number): BaselineText[] => {
	const random = mulberry32(6);
	const ofMallory = texts.filter(({source}) => source === 'mallory');
	const visits = new Set(ofMallory.map(({conversation}) => conversation));
	return texts.map(text => text.isOwn && !visits.has(text.conversation) && random() < share
		? {...text, id: `like Mallory ${text.id}`, vector: ofMallory[Math.floor(random() * ofMallory.length)]!.vector}
		: text);
};

/** Learns what is ordinary from a baseline. */
export const validate = (baseline: readonly BaselineText[], seed: number): {chance: Chance; ordinary: Ordinary} => {
	const chance = findChance(baseline, {seed, horizon: horizons.minimum, weight: usualWeight})!;
	return {chance, ordinary: prepareOrdinary(baseline, chance)};
};

/** Follows texts with a new monitor. */
export const follow = (ordinary: Ordinary, texts: readonly BaselineText[]): Monitor => {
	const monitor = new Monitor(ordinary);
	for (const text of texts) {
		monitor.take(text);
	}

	return monitor;
};

/** What drift and its chart find in a history. */
export const ask = (kind: Kind, seed: number, options?: {steered: number}) => {
	const {baseline, after} = hear(kind, seed, options);
	const {chance, ordinary} = validate(baseline, seed);
	const monitor = new Monitor(ordinary);
	const happenings = after.flatMap(text => monitor.take(text));
	const heard = monitor.voice('heard')!;
	return {
		foundAt: heard.state.foundAt,
		isAlarmed: happenings.some(one => one.kind === 'alarm' && one.voice === 'heard'),
		isChanged: happenings.some(one => one.kind === 'changed'),
		conversations: heard.chart.conversations,
		find: () => examine(heard, twinTalkFor(heard, baseline, chance), monitor.texts).find([]),
	};
};
