/** Ledger, history and difference as tables in a terminal. */
import type {Difference} from '../instruments/describe-difference.ts';
import type {Ledger, LedgerEntry} from '../instruments/describe-ledger.ts';
import type {History} from '../instruments/run-history.ts';
import {plainLine} from '../platform/plain-line.ts';
import {formatTable} from './format-table.ts';

/** How much of a text fits in a line. */
const maxText = 60;

/** In one line, as far as it fits. */
export const line = (text: string | null | undefined): string => plainLine(text ?? '', maxText);

export const percent = (share: number): string => `${(100 * share).toFixed(1)}%`;

/** To the minute. */
export const when = (timestamp: string | undefined): string => timestamp?.slice(0, 16).replace('T', ' ') ?? '';

export const paragraphs = (...parts: Array<string | null>): string => parts.filter(part => part !== null && part !== '').join('\n\n');

const names: Partial<Record<LedgerEntry['kind'], string>> = {beginning: '(the beginning)', before: '(before)', push: '(the rule’s own push)', others: '(others)'};

export const describeLedger = ({stateId, by, direction, value, from, cycles, beginningLeft, halfLifeCycles, entries, note}: Ledger): string => {
	const isByText = by === 'text';
	return paragraphs(
		[
			`State ${stateId}, of ${cycles} cycles since state ${from.stateId} of ${when(from.timestamp)}.`,
			`${percent(beginningLeft)} of that state is left${halfLifeCycles === null ? '' : `, and half of a text after ${Math.round(halfLifeCycles)} cycles`}.`,
			...(direction === null ? [] : [`On ${direction} it has ${value!.toFixed(4)}, the sum of the parts.`]),
		].join('\n'),
		formatTable(
			[isByText ? 'who' : by, 'texts', 'share', ...(direction === null ? [] : ['part']), ...(isByText ? ['when', 'text'] : [])],
			entries.map(({kind, key, texts, share, part, source, timestamp, content}) => [
				names[kind] ?? source ?? key,
				texts,
				percent(share),
				...(direction === null ? [] : [part!.toFixed(5)]),
				...(isByText ? [when(timestamp), line(content)] : []),
			]),
		),
		note,
	);
};

export const describeHistory = ({from, to, direction, cycles, points}: History): string => paragraphs(
	`From state ${from.stateId} of ${when(from.timestamp)} to state ${to.stateId} of ${when(to.timestamp)}: ${cycles} cycles.`,
	formatTable(
		['state', 'when', 'net mrad', 'path mrad', 'beginning left', 'push', 'dissonance', 'percentile', ...(direction === null ? [] : [direction, 'z']), 'who', 'text'],
		points.map(({stateId, timestamp, netMrad, pathMrad, beginningLeft, push, dissonance, dissonancePercentile, value, z, source, content}) => [
			stateId,
			when(timestamp),
			netMrad.toFixed(1),
			pathMrad.toFixed(1),
			percent(beginningLeft),
			push.toFixed(3),
			dissonance?.toFixed(3) ?? null,
			dissonancePercentile?.toFixed(2) ?? null,
			...(direction === null ? [] : [value!.toFixed(4), z?.toFixed(2) ?? null]),
			source ?? '',
			line(content),
		]),
	),
);

export const describeDifference = ({from, to, directions, sources, texts, words, note}: Difference): string => paragraphs(
	`From state ${from.stateId} of ${when(from.timestamp)} to state ${to.stateId} of ${when(to.timestamp)}.`,
	words.join('\n'),
	directions.length === 0 ? null : formatTable(
		['direction', 'more', 'from', 'to', 'change', 'z'],
		directions.map(({key, polePositive, poleNegative, from: before, to: after, change, zChange}) =>
			[key, change > 0 ? polePositive : poleNegative, before.toFixed(4), after.toFixed(4), change.toFixed(4), zChange?.toFixed(2) ?? null]),
	),
	sources.length === 0 ? null : formatTable(['who', 'texts', 'of the way'], sources.map(({source, texts: count, share}) => [source, count, percent(share)])),
	texts.length === 0 ? null : formatTable(['who', 'when', 'of the way', 'text'], texts.map(({source, timestamp, share, content}) => [source, when(timestamp), `${(100 * share).toFixed(2)}%`, line(content)])),
	note,
);
