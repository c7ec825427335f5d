/** The tables of the drift benchmark. Counts have Wilson's interval of 95 % in brackets. */
import {unusualP} from '../../src/instruments/drift/findings.ts';
import {statedRunLength} from '../../src/instruments/drift/chart.ts';
import {markdown, median} from '../report.ts';
import {peers, type HistoryResult, type PeerName, type VoiceResult} from './history.ts';
import type {Cell} from './run-histories.ts';

const toPercent = (value: number): string => (100 * value).toFixed(0);

/** A share with Wilson's interval of 95 %. */
export const share = (hits: number, of: number): string => {
	if (of === 0) {
		return '–';
	}

	const [z, p] = [1.96, hits / of];
	const centre = (p + z * z / (2 * of)) / (1 + z * z / of);
	const half = z / (1 + z * z / of) * Math.sqrt(p * (1 - p) / of + z * z / (4 * of * of));
	return `${hits}/${of}, ${toPercent(p)} % (${toPercent(Math.max(0, centre - half))}–${toPercent(Math.min(1, centre + half))})`;
};

const shareOf = <Item>(items: readonly Item[], test: (item: Item) => boolean): string => share(items.filter(item => test(item)).length, items.length);

const middle = (values: readonly number[], of: number): string => 2 * values.length <= of ? '–' : String(median(values));

const meanOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

const meanPercent = (values: readonly number[]): string => values.length === 0 ? '–' : `${(100 * meanOf(values)).toFixed(1)} %`;

const isUnusual = ({p}: {readonly p: number}): boolean => p <= unusualP;

const voicesOf = (histories: readonly HistoryResult[], voice: 'heard' | 'said'): VoiceResult[] => histories.flatMap(history => history[voice] ?? []);

const heardOf = ({histories}: Cell): VoiceResult[] => voicesOf(histories, 'heard');

type Column = readonly [head: string, cell: (cell: Cell) => string];

const tableOf = (title: string, first: string, cells: readonly Cell[], columns: readonly Column[]): string => cells.length === 0 ? '' :
	`## ${title}\n\n${markdown([[first, ...columns.map(([head]) => head)], ...cells.map(cell => [cell.scenario.name, ...columns.map(([, toCell]) => toCell(cell))])])}\n`;

const found: Column = ['p ≤ .05', cell => shareOf(heardOf(cell), ({foundAt}) => foundAt !== null)];
const alarms: Column = ['chart alarms', cell => shareOf(heardOf(cell), ({alarm}) => alarm !== null)];
const directions: Column = ['a direction stands out', cell => shareOf(heardOf(cell), ({hasDirection}) => hasDirection)];

const peerColumns = Object.keys(peers).map((name): Column => [name, ({histories}) => shareOf(histories, history => history.peers[name as PeerName])]);

/** The share of ordinary histories in which the chart may alarm, by the stated run length. */
const statedAlarms = (cell: Cell): string => `${toPercent(1 - Math.exp(-meanOf(heardOf(cell).map(({conversations}) => conversations)) / statedRunLength))} %`;

const baseline: Column = ['texts, conversations of the baseline', ({histories}) =>
	`${median(histories.map(({baseline: {texts}}) => texts))}, ${median(histories.map(({baseline: {conversations}}) => conversations))}`];

export const tablesOf = (cells: readonly Cell[]): string => {
	const unreadable = cells.filter(({scenario: {isUnreadable = false}}) => isUnreadable);
	const ordinary = cells.filter(({scenario: {culprit, isUnreadable = false}}) => culprit === undefined && !isUnreadable);
	const influenced = cells.filter(({scenario: {culprit}}) => culprit !== undefined);
	return [
		tableOf('False alarms: at any of 36 looks in 800 texts of ordinary talk', 'ordinary talk', ordinary, [found, alarms, ...peerColumns]),
		tableOf('What else is said of ordinary talk', 'ordinary talk', ordinary, [
			baseline,
			['p_now ≤ .05 at some look', cell => shareOf(heardOf(cell), ({isNow}) => isNow)],
			['alarms that are stated', statedAlarms],
			['a source is named', cell => shareOf(heardOf(cell), ({named}) => named !== null)],
			directions,
			['some changed_p ≤ .05', ({histories}) => shareOf(histories, ({changed}) => changed.some(isUnusual))],
			['what is said: p ≤ .05', ({histories}) => shareOf(voicesOf(histories, 'said'), ({foundAt}) => foundAt !== null)],
			['its chart alarms', ({histories}) => shareOf(voicesOf(histories, 'said'), ({alarm}) => alarm !== null)],
			['ids set aside', ({histories}) => shareOf(histories, ({usesIds}) => !usesIds)],
			['neighbours alike', ({histories}) => shareOf(histories, ({isAlike}) => isAlike)],
			['p said to be too small; of p ≤ .05', ({histories}) => [histories, histories.filter(({heard}) => heard.foundAt !== null)]
				.map(some => shareOf(some, ({isDoubtful}) => isDoubtful)).join('; ')],
			['stationary_p ≤ .05', ({histories}) => shareOf(histories, ({isUnsteady}) => isUnsteady)],
		]),
		tableOf('Influence: found within 800 texts', 'influence', influenced, [
			found,
			['texts until then', cell => middle(heardOf(cell).flatMap(({foundAt}) => foundAt ?? []), cell.histories.length)],
			['the culprit is named', cell => shareOf(heardOf(cell), ({named}) => named === cell.scenario.culprit)],
			['another is named', cell => shareOf(heardOf(cell), ({named}) => named !== null && named !== cell.scenario.culprit)],
			directions,
			['p without the top source ≤ .05', cell => shareOf(heardOf(cell).flatMap(({pWithoutTop}) => pWithoutTop ?? []), p => p <= unusualP)],
		]),
		tableOf('Influence: the chart, and changed_p', 'influence', influenced, [
			alarms,
			['texts until then', cell => middle(heardOf(cell).flatMap(({alarm}) => alarm?.texts ?? []), cell.histories.length)],
			['it blames the culprit', cell => shareOf(heardOf(cell).flatMap(({alarm}) => alarm ?? []), ({blamed}) => blamed === cell.scenario.culprit)],
			['changed_p ≤ .05: the culprit', ({histories, scenario: {culprit}}) => shareOf(histories, ({changed}) => changed.some(one => one.source === culprit && isUnusual(one)))],
			['changed_p ≤ .05: another', ({histories, scenario: {culprit}}) => shareOf(histories, ({changed}) => changed.some(one => one.source !== culprit && isUnusual(one)))],
		]),
		tableOf('Influence: beside others', 'influence', influenced, [found, alarms, ...peerColumns]),
		tableOf('What the model reads badly', 'talk', unreadable, [
			found,
			alarms,
			['its share of what is found', cell => meanPercent(heardOf(cell).flatMap(({unread}) => unread?.share ?? []))],
			['p without it ≤ .05', cell => shareOf(heardOf(cell).flatMap(({unread}) => unread ?? []), ({pWithout}) => pWithout <= unusualP)],
			['a source is named', cell => shareOf(heardOf(cell), ({named}) => named !== null)],
			directions,
			['some changed_p ≤ .05', ({histories}) => shareOf(histories, ({changed}) => changed.some(isUnusual))],
		]),
		tableOf('Echo guard: texts that are noticed', 'talk', cells.filter(({scenario: {asksEchoes = false}}) => asksEchoes), [
			['of the culprit’s', ({histories}) => meanPercent(histories.flatMap(({echoes}) => echoes?.culprit ?? []))],
			['of the others’', ({histories}) => meanPercent(histories.flatMap(({echoes}) => echoes?.others ?? []))],
		]),
	].filter(table => table !== '').join('\n');
};
