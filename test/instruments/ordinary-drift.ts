/** What drift is measured to be where there is nothing but ordinary talk: how many seeded identities chance alone makes unusual. */
import {measureApart} from '../../src/instruments/apart.ts';
import {defaultBaseline, minBaseline} from '../../src/instruments/baseline.ts';
import {calibrate} from '../../src/instruments/calibrate.ts';
import {addVisit, startChart} from '../../src/instruments/chart.ts';
import {mulberry32} from '../../src/instruments/mulberry32.ts';
import {replay, startReplay, type ReplayText} from '../../src/instruments/replay.ts';
import {runTwins} from '../../src/instruments/twins.ts';
import {projectWith} from '../../src/instruments/whitener.ts';
import {selectKernel} from '../../src/kernel/select.ts';
import {minimalAuthority} from '../../src/semiosis/fixation.ts';
import {StateTensor} from '../../src/kernel/state-tensor.ts';
import {unitVector} from './lives.ts';
import {startTalk} from './ordinary-life.ts';

const kernel = selectKernel();
const project = projectWith(selectKernel());
export const timestamp = '2026-01-01T00:00:00.000Z';

/** The rules of a life that begins with seeded rows. */
export const rulesFrom = (seed: number) => {
	const initial = new StateTensor(0, timestamp, Array.from({length: 8}, (_, d) => unitVector(seed * 8 + d)));
	return {kernel, authority: minimalAuthority, reference: initial, initial};
};

/** Of `identities`, how many lie as far from their twins as one of twenty does by chance. */
export const countUnusual = (identities: number, {texts: count, twins: twinCount}: {texts: number; twins: number}): number => Array.from({length: identities}, (_, seed) => {
	const rules = rulesFrom(seed);
	const talk = startTalk(mulberry32(seed));
	const baseline = talk.texts(minBaseline.texts);
	const texts = talk.texts(count);
	const {state} = replay(rules, startReplay(rules), texts.map((text): ReplayText => ({...text, kind: 'cycle', timestamp})));
	const [twins] = runTwins({rules, start: rules.initial, baseline, lengths: [count], count: twinCount, random: mulberry32(seed)});
	return measureApart(state.row('thirdness'), twins!).p <= 0.05;
}).filter(Boolean).length;

/** Of `identities`, for how many the visit chart passes a limit. @param width of the vectors */
export const countAlarmed = (identities: number, {visits, averageRunLength, width}: {visits: number; averageRunLength: number; width: number}): number => Array.from({length: identities}, (_, seed) => {
	const talk = startTalk(mulberry32(seed), {width, length: width});
	const calibration = calibrate(talk.texts(defaultBaseline), {averageRunLength, random: mulberry32(seed), project})!;
	let position = startChart(calibration);
	return Array.from({length: visits}, () => {
		position = addVisit(calibration, position, talk.visit().map(({vector}) => vector), null, project);
		return position.readings.some(({reading, limit}) => reading > limit);
	}).some(Boolean);
}).filter(Boolean).length;

/** The most of `identities` that may alarm in so many visits: chance, and what 24 of them leave uncertain. */
export const maxAlarmed = (identities: number, visits: number, averageRunLength: number): number => identities * (1 - Math.exp(-visits / averageRunLength) + 0.1);
