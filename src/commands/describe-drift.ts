/** Drift and sources as tables in a terminal. */
import type {Drift, SourcesReport, VisitChart} from '../instruments/drift.ts';
import {paragraphs, percent} from './describe-past.ts';
import {formatTable} from './format-table.ts';

const shown = (share: number | null): string | null => share === null ? null : percent(share);

export const describeDrift = ({sentence, standOut, sources, chart, note}: Drift): string => paragraphs(
	sentence,
	standOut.length === 0 ? null : formatTable(
		['direction', 'more', 'is', 'expected', 'z', 'p'],
		standOut.map(({key, polePositive, poleNegative, value, expected, z, p}) => [key, z > 0 ? polePositive : poleNegative, value.toFixed(4), expected.toFixed(4), z.toFixed(1), p.toPrecision(2)]),
	),
	sources.length === 0 ? null : formatTable(
		['who', 'texts', 'of all', 'weight', 'of the difference'],
		sources.map(({source, texts, textShare, weightShare, unusualShare}) => [source, texts, percent(textShare), percent(weightShare), shown(unusualShare)]),
	),
	chart && describeChart(chart),
	note,
);

const describeChart = ({visits, readings, averageRunLength, blame, note}: VisitChart): string => paragraphs(
	readings.length === 0 ? null : [
		`${visits} visits since the validation; ordinary talk is above a limit once in ${averageRunLength} visits.`,
		formatTable(['span', 'reading', 'limit'], readings.map(({span, reading, limit}) => [span, `${reading.toFixed(2)}${reading > limit ? ' !' : ''}`, limit.toFixed(2)])),
	].join('\n'),
	blame.length === 0 ? null : formatTable(['who', 'texts', 'of the reading'], blame.map(({source, texts, share}) => [source, texts, percent(share)])),
	note,
);

export const describeSources = ({stateId, since, sources, note}: SourcesReport): string => paragraphs(
	`From state ${since.stateId} to state ${stateId}.`,
	sources.length === 0 ? null : formatTable(
		['who', 'texts', 'visits', 'of all', 'weight', 'of the difference', 'coherence', 'changed p', 'echoes'],
		sources.map(({source, texts, visits, textShare, weightShare, unusualShare, coherence, changedP, echoes}) =>
			[source, texts, visits, percent(textShare), percent(weightShare), shown(unusualShare), coherence?.toFixed(2) ?? null, changedP?.toFixed(3) ?? null, echoes]),
	),
	note,
);
