/**
 * What the instruments of drift find, and how often they are wrong: identities that hear streams of
 * ordinary talk and of influence (`docs/spec/instruments.md#4-validate-twins-drift` and on).
 *
 * `npm run bench:drift -- [identities] [--only=TEXT]`: identities in each cell, 24 by default; only
 * the scenarios whose name has the text. A first run embeds the sentences, in about a minute.
 *
 * Not measured: other languages, other models, talk whose topics change with the season, and a
 * person who knows the instruments and evades them.
 */
import {availableParallelism} from 'node:os';
import {parseArgs} from 'node:util';
import {runTrials} from './drift/run-trials.ts';
import {scenarios, ordinary, type Scenario} from './drift/streams.ts';
import {averageRunLength, baselines, stretches, type Trial} from './drift/trial.ts';
import {machine, markdown, median} from './report.ts';

const {values: {only}, positionals: [perCell = '24']} = parseArgs({allowPositionals: true, options: {only: {type: 'string', default: ''}}});
const identities = Number(perCell);

/** Ordinary talk needs more identities: what happens in one of twenty is hardly seen in 24. */
const countOf = (scenario: Scenario): number => scenario === ordinary ? 3 * identities : identities;

const toPercent = (value: number, digits = 0): string => (100 * value).toFixed(digits);

/** A share with Wilson's interval of 95 %. */
const share = (hits: number, of: number): string => {
	if (of === 0) {
		return '–';
	}

	const [z, p] = [1.96, hits / of];
	const centre = (p + z * z / (2 * of)) / (1 + z * z / of);
	const half = z / (1 + z * z / of) * Math.sqrt(p * (1 - p) / of + z * z / (4 * of * of));
	return `${hits}/${of}, ${toPercent(p)} % (${toPercent(Math.max(0, centre - half))}–${toPercent(Math.min(1, centre + half))})`;
};

const shareOf = <Item>(items: readonly Item[], test: (item: Item) => boolean): string => share(items.filter(item => test(item)).length, items.length);

const middle = (values: readonly number[], digits = 0): string => values.length === 0 ? '–' : median(values).toFixed(digits);

const meanPercent = (values: readonly number[]): string => values.length === 0 ? '' : `${toPercent(values.reduce((sum, value) => sum + value, 0) / values.length, 1)} %`;

type Cell = {scenario: Scenario; trials: Trial[]};

const isRight = (scenario: Scenario) => ({top}: {top: string}): boolean => top === scenario.culprit;

const twinsRow = ({scenario, trials}: Cell): string[] => {
	const found = trials.map(({twins}) => twins[0]!).filter(({p}) => p <= 0.05);
	return [
		scenario.name,
		middle(trials.map(({twins}) => twins[0]!.netMrad)),
		...stretches.map((_, i) => shareOf(trials.filter(({twins}) => i < twins.length), ({twins}) => twins[i]!.p <= 0.05)),
		...scenario.culprit === undefined ? ['', ''] : [shareOf(found, isRight(scenario)), middle(found.map(({pWithoutTop}) => pWithoutTop!), 2)],
	];
};

const chartRow = ({scenario, trials}: Cell): string[] => [scenario.name, ...baselines.flatMap((_, i) => {
	const alarms = trials.flatMap(({charts}) => charts[i]!.alarm ?? []);
	return [
		shareOf(trials, ({charts}) => charts[i]!.alarm !== null),
		middle(alarms.map(({texts}) => texts)),
		scenario.culprit === undefined ? '' : shareOf(alarms, isRight(scenario)),
	];
})];

const changeRow = ({scenario, trials}: Cell): string[] => {
	const known = trials.flatMap(({changes}) => Object.entries(changes)).filter(([, p]) => p !== null);
	return [scenario.name, ...[true, false].map(isCulprit => shareOf(known.filter(([name]) => (name === scenario.culprit) === isCulprit), ([, p]) => p! <= 0.01))];
};

const echoRow = ({scenario, trials}: Cell): string[] =>
	[scenario.name, meanPercent(trials.flatMap(({echoes}) => echoes.culprit ?? [])), meanPercent(trials.map(({echoes}) => echoes.ordinary))];

const chosen = scenarios
	.filter(({name}) => name.includes(only))
	.map(scenario => ({scenario, seeds: Array.from({length: countOf(scenario)}, (_, i) => 1000 * scenarios.indexOf(scenario) + i)}));

const began = performance.now();
const results = await runTrials(chosen.map(({scenario, seeds}) => ({scenario: scenarios.indexOf(scenario), seeds})), Math.min(2, availableParallelism()));
const cells = chosen.map(({scenario}, i): Cell => ({scenario, trials: results[i]!}));

console.log(`\n## Twins\n\n${markdown([
	['scenario', 'net mrad after 400', ...stretches.map(length => `p ≤ .05 after ${length}`), 'culprit first', 'p without the first'],
	...cells.map(cell => twinsRow(cell)),
])}`);

console.log(`\n## Visit chart, over 800 texts\n\n${markdown([
	['scenario', ...baselines.flatMap(texts => [`alarm, baseline of ${texts}`, 'texts until it', 'culprit first'])],
	...cells.map(cell => chartRow(cell)),
])}`);

for (const {trials} of cells.filter(({scenario}) => scenario === ordinary)) {
	const visits = trials.reduce((sum, {charts}) => sum + charts[0]!.visits, 0) / trials.length;
	console.log(`\nOf ordinary talk with ${visits.toFixed(0)} visits, ${toPercent(1 - Math.exp(-visits / averageRunLength))} % may raise an alarm at an average run length of ${averageRunLength.toLocaleString('en')} visits.`);
}

console.log(`\n## Sources: a change with p ≤ .01\n\n${markdown([
	['scenario', 'the culprit', 'the other known users'],
	...cells.filter(({scenario: {culprit, isHidden}}) => culprit === undefined || isHidden).map(cell => changeRow(cell)),
])}`);

console.log(`\n## Echo guard: texts that are noticed\n\n${markdown([
	['scenario', 'of the culprit’s', 'of the others’'],
	...cells.filter(({scenario: {culprit, says}}) => culprit === undefined || says === 'echoes').map(cell => echoRow(cell)),
])}`);

console.log(`\n${((performance.now() - began) / 60_000).toFixed(1)} minutes, ${machine()}.`);
