/** The drift over a stretch of life, from its records: how far it went, and whose texts weigh how much. */
import {turnMrad} from './displacement.ts';
import {sampleEvenly} from './history.ts';
import type {Instrument} from './instrument.ts';
import {sourceOf} from './source-of.ts';
import {collectStretch, toPastState, type BeginningKind, type PastState} from './stretch.ts';
import {remainders, unrollFrom, type Factors} from './unroll.ts';
import type {DriftPoint, SourceReport} from './drift.ts';

/** What the drift is measured with. */
export type DriftQuestion = Record<string, never>;

/** The drift, and the stretch that it is of. */
export type DriftResult = {
	readonly begins: BeginningKind;
	readonly from: PastState;
	readonly to: PastState;
	readonly cycles: number;
	readonly isHashed: boolean;
	readonly netMrad: number;
	readonly path: readonly DriftPoint[];
	readonly sources: ReadonlyArray<Omit<SourceReport, 'echoes'>>;
};

/** How many states the way has. */
const maxPoints = 25;

/** A longer pause ends a visit. */
const maxPauseMs = 1_800_000;

type DriftText = {source: string; time: number; factors: Factors; point: DriftPoint};

export const runDrift: Instrument<DriftQuestion, DriftResult> = start => {
	let isHashed = false;
	const {take, collected} = collectStretch(start, from => {
		const follow = unrollFrom(start.rules.kernel, from.rows);
		const first = from.row('thirdness');
		return (cycle, state): DriftText => {
			isHashed ||= cycle.isHashed;
			return {source: sourceOf(cycle), time: Date.parse(cycle.timestamp), factors: follow(cycle), point: pointAt(state, turnMrad(first, cycle.thirdness))};
		};
	});
	return {
		take,
		answer() {
			const {begins, from, to, cycles} = collected();
			const left = remainders(cycles.map(({factors}) => factors));
			const sources = new Map<string, {texts: number; visits: number; weight: number}>();
			let weights = 0;
			for (const [k, {source, time, factors}] of cycles.entries()) {
				const before = cycles[k - 1];
				const isSame = before?.source === source && time - before.time <= maxPauseMs;
				const weight = factors.text * left[k + 1]!;
				const sum = sources.get(source) ?? {texts: 0, visits: 0, weight: 0};
				sources.set(source, {texts: sum.texts + 1, visits: sum.visits + Number(!isSame), weight: sum.weight + weight});
				weights += weight;
			}

			const beginning: DriftPoint = pointAt(from, 0);
			return {
				begins,
				from: toPastState(from),
				to: toPastState(to),
				cycles: cycles.length,
				isHashed,
				netMrad: turnMrad(from.row('thirdness'), to.row('thirdness')),
				path: sampleEvenly([beginning, ...cycles.map(({point}) => point)], maxPoints),
				sources: [...sources].map(([source, {texts, visits, weight}]) => ({
					source,
					texts,
					textShare: texts / cycles.length,
					weightShare: weight / weights,
					unusualShare: null,
					visits,
					coherence: null,
					changedP: null,
				})).toSorted((a, b) => b.weightShare - a.weightShare),
			};
		},
	};
};

const pointAt = (state: PastState, netMrad: number): DriftPoint => ({
	...toPastState(state),
	netMrad,
	netLowMrad: null,
	netMedianMrad: null,
	netHighMrad: null,
	excessMrad: null,
	excessLowMrad: null,
	excessMedianMrad: null,
	excessHighMrad: null,
});
