/** Answers of an identity as sentences and tables in a terminal. */
import type {
	Difference, Drift, History, Ledger, LedgerEntry, ScaledProfile, Sources as SourcesReport, ConversationChart,
} from '../generated/types.ts';
import {withTone} from '../instruments/readable.ts';
import type {DryRunView, ValidationView, WhatIfView} from '../identity/views.ts';
import {plainLine} from '../platform/plain-line.ts';
import {formatTable} from './terminal.ts';

/** How much of a text fits in a line. */
const maxText = 60;

/** In one line, as far as it fits. */
export const line = (text: string | null | undefined): string => plainLine(text ?? '', maxText);

const percent = (share: number): string => `${(100 * share).toFixed(1)}%`;

/** To the minute. */
export const when = (timestamp: string | undefined): string => timestamp?.slice(0, 16).replace('T', ' ') ?? '';

const paragraphs = (...parts: Array<string | null>): string => parts.filter(part => part !== null && part !== '').join('\n\n');

const names: Partial<Record<LedgerEntry['kind'], string>> = {
	beginning: '(the beginning)', before: '(before)', push: '(the rule’s own push)', others: '(others)',
};

export const showLedger = ({stateId, by, direction, value, from, cycles, beginningLeft, halfLifeCycles, entries, note}: Ledger): string => {
	const isByText = by === 'text';
	return paragraphs(
		[
			`State ${stateId}, of ${cycles} cycles since state ${from.stateId} of ${when(from.timestamp)}.`,
			`${percent(beginningLeft)} of that state is `
				+ `left${halfLifeCycles === null ? '' : `, and half of a text after ${Math.round(halfLifeCycles)} cycles`}.`,
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

export const showHistory = ({from, to, direction, cycles, points}: History): string => paragraphs(
	`From state ${from.stateId} of ${when(from.timestamp)} to state ${to.stateId} of ${when(to.timestamp)}: ${cycles} cycles.`,
	formatTable(
		[
			'state', 'when', 'net mrad', 'path mrad', 'beginning left', 'push', 'dissonance', 'percentile',
			...(direction === null ? [] : [direction, 'z']), 'who', 'text',
		],
		points.map(({
			stateId, timestamp, netMrad, pathMrad, beginningLeft, push, dissonance, dissonancePercentile, value, z, source, content,
		}) => [
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

export const showDifference = ({from, to, directions, sources, texts, words, note}: Difference): string => paragraphs(
	`From state ${from.stateId} of ${when(from.timestamp)} to state ${to.stateId} of ${when(to.timestamp)}.`,
	words.join('\n'),
	directions.length === 0 ? null : formatTable(
		['direction', 'more', 'from', 'to', 'change', 'z'],
		directions.map(({key, polePositive, poleNegative, from: before, to: after, change, zChange}) =>
			[key, change > 0 ? polePositive : poleNegative, before.toFixed(4), after.toFixed(4), change.toFixed(4), zChange?.toFixed(2) ?? null]),
	),
	sources.length === 0
		? null
		: formatTable(['who', 'texts', 'of the way'], sources.map(({source, texts: count, share}) => [source, count, percent(share)])),
	texts.length === 0 ? null : formatTable(
		['who', 'when', 'of the way', 'text'],
		texts.map(({source, timestamp, share, content}) => [source, when(timestamp), `${(100 * share).toFixed(2)}%`, line(content)]),
	),
	note,
);

const shown = (share: number | null): string | null => share === null ? null : percent(share);

export const showDrift = ({sentence, standOut, sources, chart, note}: Drift): string => paragraphs(
	sentence,
	standOut.length === 0 ? null : formatTable(
		['direction', 'more', 't', 'by chance', 'p'],
		standOut.map(({key, pole, t, typicalT, p}) => [key, pole, t.toFixed(2), typicalT.toFixed(2), p.toPrecision(2)]),
	),
	sources.length === 0 ? null : formatTable(
		['who', 'texts', 'of all', 'weight', 'of the difference', 'p'],
		sources.map(({source, texts, textShare, weightShare, share, p}) => [
			source, texts, percent(textShare), percent(weightShare), shown(share), p?.toPrecision(2) ?? null,
		]),
	),
	chart && showChart(chart),
	note,
);

const showChart = ({conversations, readings, averageRunLength, since, blame}: ConversationChart): string => paragraphs(
	conversations === 0 ? null : [
		`${conversations} conversations since the validation; ordinary talk is above a limit once in ${averageRunLength}.`,
		formatTable(
			['span', 'reading', 'limit'],
			readings.map(({span, reading, limit}) => [span, `${reading.toFixed(2)}${reading > limit ? ' !' : ''}`, limit.toFixed(2)]),
		),
	].join('\n'),
	since && `Longer than usual since ${when(since.timestamp)}, with a text of ${line(since.source)}.`,
	blame.length === 0
		? null
		: formatTable(['who', 'texts', 'of the reading'], blame.map(({source, texts, share}) => [source, texts, percent(share)])),
);

export const showSources = ({stateId, since, sources, note}: SourcesReport): string => paragraphs(
	`From state ${since.stateId} to state ${stateId}.`,
	sources.length === 0 ? null : formatTable(
		['who', 'texts', 'conversations', 'of all', 'weight', 'of the difference', 'p', 'coherence', 'changed p', 'echoes'],
		sources.map(({source, texts, conversations, textShare, weightShare, share, p, coherence, changedP, echoes}) =>
			[
				source, texts, conversations, percent(textShare), percent(weightShare), shown(share), p?.toPrecision(2) ?? null,
				coherence?.toFixed(2) ?? null, changedP?.toFixed(3) ?? null, echoes,
			]),
	),
	note,
);

export const showProfile = ({stateId, begunAtRandom, examples, note, tone, directions}: ScaledProfile, all: boolean): string => {
	const told = withTone(directions, tone);
	const listed = told
		.filter(({standsOut}) => all || standsOut)
		.toSorted((a, b) => Math.abs(b.z ?? 0) - Math.abs(a.z ?? 0));
	return [
		`State ${stateId}, compared with ${examples} example sentences.`,
		...(begunAtRandom ? ['This identity began at random: what does not move is chance.'] : []),
		...(note === null ? [] : [note]),
		...(listed.length === 0 ? ['Nothing stands out.'] : ['', formatTable(
			['direction', 'leans to', 'rather than', 'z', 'percentile', 'word', 'moves'],
			listed.map(({key, pole, polePositive, poleNegative, z, percentile, word, moves}) =>
				[
					key, pole, pole && (pole === polePositive ? poleNegative : polePositive), z?.toFixed(2) ?? null,
					percentile?.toFixed(2) ?? null, word, moves,
				]),
		)]),
		...(all || listed.length === told.length ? [] : ['', `${told.length - listed.length} more are no different from `
			+ 'chance; --all shows them.']),
	].join('\n');
};

export const showValidation = ({stateId, note, baseline: {texts, heard, conversations, sources, from}}: ValidationView): string =>
	`State ${stateId} is validated: “${note}”.\nThe baseline has ${texts} texts, ${heard} of them by others, in ${conversations} `
		+ `conversations${sources === null ? '' : ` of ${sources} ${sources === 1 ? 'source' : 'sources'}`}, since ${when(from)}.`;

export const showDryRun = ({dissonanceTotal, dissonancePercentile, turnMrad, moves, nearest}: DryRunView): string => [
	`Dissonance ${dissonanceTotal.toFixed(3)}`
		+ (dissonancePercentile === null ? '' : `, more than ${(100 * dissonancePercentile).toFixed(0)}% of the last texts`)
		+ `. It would turn the state by ${turnMrad.toFixed(3)} mrad.`,
	...(moves.length === 0 ? [] : ['', formatTable(
		['direction', 'towards', 'before', 'after', 'change'],
		moves.map(({key, polePositive, poleNegative, before, after, change}) => [
			key, change > 0 ? polePositive : poleNegative, before.toFixed(5), after.toFixed(5), change.toFixed(5),
		]),
	)]),
	...(nearest.length === 0 ? [] : ['', formatTable(
		['cosine', 'when', 'nearest text'],
		nearest.map(({cosine, timestamp, content}) => [cosine.toFixed(3), timestamp, content]),
	)]),
].join('\n');

export const showWhatIf = ({from, cycles, leftOut, added, angleMrad, directions, words, p}: WhatIfView): string => [
	`Texts since state ${from.stateId}: ${cycles}; left out: ${leftOut}; added: ${added}. `
		+ `The other self is ${angleMrad.toFixed(1)} mrad away.`,
	...words,
	...(p === null ? [] : [`Ordinary talk since the validation would lead as far in ${(100 * p).toFixed(0)} of 100 cases `
		+ `(p ${p.toFixed(2)}).`]),
	...(directions.length === 0 ? [] : ['', formatTable(
		['direction', 'leans more to', 'present', 'other', 'difference', 'z'],
		directions.map(({key, polePositive, poleNegative, present, other, difference, zDifference}) =>
			[
				key, difference > 0 ? polePositive : poleNegative, present.toFixed(5), other.toFixed(5), difference.toFixed(5),
				zDifference?.toFixed(2) ?? null,
			]),
	)]),
].join('\n');
