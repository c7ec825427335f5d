/** One identity: it hears a stream, is validated in the middle, and every instrument of drift is asked. */
import {excessOf, measureApart} from '../../src/instruments/apart.ts';
import {calibrate} from '../../src/instruments/calibrate.ts';
import {addVisit, blameOf, startChart, type Calibration} from '../../src/instruments/chart.ts';
import {turnMrad} from '../../src/instruments/displacement.ts';
import {findNearestOwn, measureEchoThreshold} from '../../src/instruments/echo.ts';
import {mulberry32} from '../../src/instruments/mulberry32.ts';
import {replay, startReplay, type ReplayText} from '../../src/instruments/replay.ts';
import {shareSources} from '../../src/instruments/shares.ts';
import {sumVisit, testSourceChange} from '../../src/instruments/source-change.ts';
import {runTwins} from '../../src/instruments/twins.ts';
import {remainders, unrollFrom} from '../../src/instruments/unroll.ts';
import {visitsOf} from '../../src/instruments/visits.ts';
import type {BaselineText} from '../../src/journal/journal.ts';
import {selectKernel} from '../../src/kernel/select.ts';
import {minimalAuthority, proposalsOf} from '../../src/semiosis/fixation.ts';
import {randomState} from '../../src/semiosis/initial-state.ts';
import {people} from './grammar.ts';
import type {Pools} from './sentences.ts';
import {makeStream, type Heard, type Scenario} from './streams.ts';

/** How many texts after the validation the twins are asked. The second only of a theme that a new source pushes, because it takes long. */
export const stretches = [400, 800] as const;

/** How many texts a baseline has: as a validation takes them by default, and more. */
export const baselines = [600, 800] as const;

export const averageRunLength = 1000;

/** What twins say after some texts. */
export type TwinsResult = {
	netMrad: number;
	distance: number;
	typical: number;
	p: number;
	/** The source with the largest share of what is unusual. */
	top: string;
	/** Of what stands out at the first stretch; else null. */
	pWithoutTop: number | null;
};

/** What a chart says. */
export type ChartResult = {
	visits: number;
	/** After how many texts the first alarm came, and whom it blames. */
	alarm: {texts: number; visit: number; span: number; top: string} | null;
};

export type Trial = {
	/** In the order of {@link stretches}, at least of the first. */
	twins: TwinsResult[];
	/** In the order of {@link baselines}. */
	charts: ChartResult[];
	/** p of the change of each known source; null with too few visits. Only of ordinary talk and of known users. */
	changes: Record<string, number | null>;
	/** Shares of texts that are noticed as echoes. Null where nothing was said by a culprit. */
	echoes: {ordinary: number; culprit: number | null};
};

const kernel = selectKernel();
/** The texts that the agent did not think itself. */
const saidIn = (texts: readonly BaselineText[]): BaselineText[] => texts.filter(({source}) => source !== 'rumination_free');

const timestamp = '2026-01-01T00:00:00.000Z';

/** Runs a trial; the same seed gives the same. */
export const runTrial = (pools: Pools, vectors: readonly Float32Array[], scenario: Scenario, seed: number): Trial => {
	const random = mulberry32(seed);
	const stream = makeStream(pools, scenario, {before: Math.max(...baselines), after: Math.max(...stretches)}, random);
	const initial = randomState(random, timestamp);
	const rules = {kernel, authority: minimalAuthority, reference: initial, initial};

	const live = (start: ReturnType<typeof startReplay>, heard: readonly Heard[]) => {
		const follow = unrollFrom(kernel, start.state.rows);
		const inputs = heard.map(({source, time, sentence}, i) => ({kind: 'cycle' as const, id: `${i}`, timestamp, source, time, vector: vectors[sentence]!}));
		const texts: Array<(typeof inputs)[number] & Pick<BaselineText, 'proposals'> & {factors: ReturnType<typeof follow>}> = [];
		const end = replay(rules, start, inputs, ({fixation, measures}, text) => {
			const proposals = proposalsOf(fixation);
			texts.push({...text, proposals, factors: follow({vector: text.vector, scores: measures.scores, proposals})});
		});
		return {end, texts};
	};

	const before = live(startReplay(rules), stream.before);
	const anchor = before.end;
	const after = live(anchor, stream.after);

	const askTwins = (): TwinsResult[] => {
		const start = anchor.state;
		const baseline = before.texts.slice(-baselines[0]);
		const lengths = scenario.says === 'theme' && !scenario.isHidden ? stretches : stretches.slice(0, 1);
		const rows = runTwins({rules, start, baseline, lengths, random});
		return lengths.map((length, i) => {
			const texts = after.texts.slice(0, length);
			const row = rowAfter(texts);
			const twins = rows[i]!;
			const left = remainders(texts.map(({factors}) => factors));
			const shares = shareSources({
				texts: texts.map(({source, vector, factors}, k) => ({source, vector, weight: factors.text * left[k + 1]!})),
				baseline: baseline.map(({vector}) => vector),
				excess: excessOf(row, twins),
			});
			const [top] = [...shares].toSorted(([, a], [, b]) => b.unusualShare - a.unusualShare)[0]!;
			const others = texts.filter(({source}) => source !== top);
			const apart = measureApart(row, twins);
			return {
				netMrad: turnMrad(start.row('thirdness'), row),
				...apart,
				top,
				pWithoutTop: apart.p > 0.05 || i > 0 ? null : measureApart(rowAfter(others), runTwins({rules, start, baseline, lengths: [others.length], random})[0]!).p,
			};
		});
	};

	const rowAfter = (texts: readonly ReplayText[]): Float32Array => replay(rules, anchor, texts).state.row('thirdness').slice();

	const askChart = (calibration: Calibration): ChartResult => {
		let position = startChart<string>(calibration);
		let texts = 0;
		const visits = visitsOf(after.texts);
		for (const visit of visits) {
			texts += visit.length;
			position = addVisit(calibration, position, visit.map(({vector}) => vector), visit[0]!.source);
			const chart = position.readings.findIndex(({reading, limit}) => reading > limit);
			if (chart !== -1) {
				const bySource = new Map<string, number>();
				for (const {facts, share} of blameOf(calibration, position, chart)) {
					bySource.set(facts, (bySource.get(facts) ?? 0) + share);
				}

				const [top] = [...bySource].toSorted(([, a], [, b]) => b - a)[0]!;
				return {visits: visits.length, alarm: {texts, visit: position.visits, span: position.readings[chart]!.span, top}};
			}
		}

		return {visits: visits.length, alarm: null};
	};

	const askChanges = ({whitener}: Calibration): Trial['changes'] => {
		const sumsOf = (texts: readonly BaselineText[], name: string) => visitsOf(texts)
			.filter(([first]) => first!.source === name)
			.map(visit => sumVisit(whitener, visit.map(({vector}) => vector)));
		return Object.fromEntries(Object.keys(people).map(name => {
			const [was, now] = [sumsOf(before.texts.slice(-baselines[0]), name), sumsOf(after.texts, name)];
			return [name, was.length === 0 || now.length === 0 ? null : testSourceChange(was, now, random).p];
		}));
	};

	const askEchoes = (): Trial['echoes'] => {
		const own = before.texts.filter(({source}) => source === 'rumination_free').map(({vector}) => vector);
		const nearest = ({vector}: BaselineText): number => findNearestOwn(kernel, own, vector)!.cosine;
		const threshold = measureEchoThreshold(saidIn(before.texts).map(nearest));
		own.push(...after.texts.filter(({source}) => source === 'rumination_free').map(({vector}) => vector));
		const noticed = (texts: readonly BaselineText[]): number => texts.filter(text => nearest(text) > threshold).length / texts.length;
		const [culprits, others] = [saidIn(after.texts).filter(({source}) => source === scenario.culprit), saidIn(after.texts).filter(({source}) => source !== scenario.culprit)];
		return {ordinary: noticed(others), culprit: culprits.length === 0 ? null : noticed(culprits)};
	};

	const calibrations = baselines.map(count => calibrate(before.texts.slice(-count), {averageRunLength, random})!);
	return {
		twins: askTwins(),
		charts: calibrations.map(calibration => askChart(calibration)),
		changes: scenario.culprit === undefined || scenario.isHidden ? askChanges(calibrations[0]!) : {},
		echoes: askEchoes(),
	};
};
