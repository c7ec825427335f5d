/** Answers of an identity as sentences and tables in a terminal. */
import type {
	ConversationChart, Difference, DirectionChange, Drift, ForgetResponse, HeldTexts, History, Ledger, LedgerEntry, PastRevision,
	RevisionResponse, Revisions, ScaledProfile, Settled, Sources as SourcesReport, Uptake,
} from '../generated/types.ts';
import {withTone} from '../instruments/readable.ts';
import type {DryRunView, ValidationView, WhatIfView} from '../identity/views.ts';
import {plainLine} from '../platform/plain-line.ts';
import {formatTable, type Cell} from './terminal.ts';

/** How much of a text fits in a line. */
const maxText = 60;

/** In one line, as far as it fits. */
export const line = (text: string | null | undefined): string => plainLine(text ?? '', maxText);

const percent = (share: number): string => `${(100 * share).toFixed(1)}%`;

/** To the minute. */
export const when = (timestamp: string | undefined): string => timestamp?.slice(0, 16).replace('T', ' ') ?? '';

const shown = (share: number | null): string | null => share === null ? null : percent(share);

/** With so many digits behind the point; null where there is no number. */
const fixed = (number: number | null | undefined, digits: number): string | null => number?.toFixed(digits) ?? null;

const paragraphs = (...parts: Array<string | null>): string => parts.filter(part => part !== null && part !== '').join('\n\n');

const lines = (...parts: Array<string | null>): string => parts.filter(part => part !== null).join('\n');

/** Null where there are no entries. */
const table = <Entry>(columns: readonly string[], entries: readonly Entry[], toCells: (entry: Entry) => readonly Cell[]): string | null =>
	entries.length === 0 ? null : formatTable(columns, entries.map(toCells));

type Poles = {polePositive: string; poleNegative: string};

const towards = ({polePositive, poleNegative}: Poles, change: number): string => change > 0 ? polePositive : poleNegative;

const names: Partial<Record<LedgerEntry['kind'], string>> = {
	beginning: '(the beginning)', before: '(before)', push: '(the rule’s own push)', others: '(others)',
};

export const showLedger = ({stateId, by, direction, value, from, cycles, beginningLeft, halfLifeCycles, entries, note}: Ledger): string => {
	const isByText = by === 'text';
	return paragraphs(
		lines(
			`State ${stateId}, of ${cycles} cycles since state ${from.stateId} of ${when(from.timestamp)}.`,
			`${percent(beginningLeft)} of that state is `
				+ `left${halfLifeCycles === null ? '' : `, and half of a text after ${Math.round(halfLifeCycles)} cycles`}.`,
			direction && `On ${direction} it has ${value!.toFixed(4)}, the sum of the parts.`,
		),
		formatTable(
			[isByText ? 'who' : by, 'texts', 'share', ...direction === null ? [] : ['part'], ...isByText ? ['when', 'text'] : []],
			entries.map(({kind, key, texts, share, part, source, timestamp, content}) => [
				names[kind] ?? source ?? key,
				texts,
				percent(share),
				...direction === null ? [] : [fixed(part, 5)],
				...isByText ? [when(timestamp), line(content)] : [],
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
			...direction === null ? [] : [direction, 'z'], 'who', 'text',
		],
		points.map(({
			stateId, timestamp, netMrad, pathMrad, beginningLeft, push, dissonance, dissonancePercentile, value, z, source, content,
		}) => [
			stateId, when(timestamp), fixed(netMrad, 1), fixed(pathMrad, 1), percent(beginningLeft), fixed(push, 3), fixed(dissonance, 3),
			fixed(dissonancePercentile, 2), ...direction === null ? [] : [fixed(value, 4), fixed(z, 2)], source ?? '', line(content),
		]),
	),
);

const showChanges = (directions: readonly DirectionChange[]): string | null =>
	table(['direction', 'more', 'from', 'to', 'change', 'z'], directions, each => [
		each.key, towards(each, each.change), fixed(each.from, 4), fixed(each.to, 4), fixed(each.change, 4), fixed(each.zChange, 2),
	]);

export const showDifference = ({from, to, directions, sources, texts, words, note}: Difference): string => paragraphs(
	`From state ${from.stateId} of ${when(from.timestamp)} to state ${to.stateId} of ${when(to.timestamp)}.`,
	words.join('\n'),
	showChanges(directions),
	table(['who', 'texts', 'of the way'], sources, ({source, texts: count, share}) => [source, count, percent(share)]),
	table(['who', 'when', 'of the way', 'text'], texts, ({source, timestamp, share, content}) =>
		[source, when(timestamp), `${(100 * share).toFixed(2)}%`, line(content)]),
	note,
);

export const showDrift = ({sentence, standOut, sources, chart, note}: Drift): string => paragraphs(
	sentence,
	table(['direction', 'more', 't', 'by chance', 'p'], standOut, ({key, pole, t, typicalT, p}) =>
		[key, pole, fixed(t, 2), fixed(typicalT, 2), p.toPrecision(2)]),
	table(
		['who', 'texts', 'of all', 'weight', 'of the difference', 'p'], sources,
		({source, texts, textShare, weightShare, share, p}) =>
			[source, texts, percent(textShare), percent(weightShare), shown(share), p?.toPrecision(2) ?? null],
	),
	chart && showChart(chart),
	note,
);

const showChart = ({conversations, readings, averageRunLength, alarm, since, blame, moved}: ConversationChart): string => paragraphs(
	conversations === 0 ? null : lines(
		`${conversations} conversations since the validation; ordinary talk is above a limit once in ${averageRunLength}.`,
		formatTable(
			['span', 'reading', 'limit'],
			readings.map(({span, reading, limit}) => [span, `${reading.toFixed(2)}${reading > limit ? ' !' : ''}`, limit.toFixed(2)]),
		),
	),
	since && `Longer than usual since ${when(since.timestamp)}, with a text of ${line(since.source)}.`,
	alarm ? `${moved.alike} of ${moved.sources} sources moved alike.` : null,
	table(['who', 'texts', 'of the reading'], blame, ({source, texts, share}) => [source, texts, percent(share)]),
);

export const showSources = ({stateId, since, sources, moved, note}: SourcesReport): string => paragraphs(
	`From state ${since.stateId} to state ${stateId}.`,
	table(
		[
			'who', 'texts', 'conversations', 'of all', 'weight', 'of the difference', 'p', 'coherence', 'changed p', 'uptake p', 'echoes',
		], sources,
		({source, texts, conversations, textShare, weightShare, share, p, coherence, changedP, uptakeP, echoes}) => [
			source, texts, conversations, percent(textShare), percent(weightShare), shown(share), p?.toPrecision(2) ?? null,
			fixed(coherence, 2), fixed(changedP, 3), fixed(uptakeP, 3), echoes,
		],
	),
	moved && `${moved.alike} of ${moved.sources} sources moved alike.`,
	note,
);

export const showProfile = ({stateId, begunAtRandom, examples, note, tone, directions}: ScaledProfile, all: boolean): string => {
	const told = withTone(directions, tone);
	const listed = told
		.filter(({standsOut}) => all || standsOut)
		.toSorted((a, b) => Math.abs(b.z ?? 0) - Math.abs(a.z ?? 0));
	return paragraphs(
		lines(
			`State ${stateId}, compared with ${examples} example sentences.`,
			begunAtRandom ? 'This identity began at random: what does not move is chance.' : null,
			note,
			listed.length === 0 ? 'Nothing stands out.' : null,
		),
		table(
			['direction', 'leans to', 'rather than', 'z', 'percentile', 'word', 'moves'], listed,
			({key, pole, polePositive, poleNegative, z, percentile, word, moves}) => [
				key, pole, pole && (pole === polePositive ? poleNegative : polePositive), fixed(z, 2), fixed(percentile, 2), word, moves,
			],
		),
		all || listed.length === told.length
			? null
			: `${told.length - listed.length} more are no different from chance; --all shows them.`,
	);
};

export const showUptake = ({sentence, sources, note}: Uptake): string => paragraphs(
	sentence,
	table(['heard → said', 'texts', 'since', 'deviations', 'p'], sources, ({source, texts, since, effect, p}) =>
		[source, texts, when(since), effect.toFixed(2), p.toPrecision(2)]),
	...sources.map(({source, shownBy}) =>
		table([`like ${line(source)}`, 'text'], shownBy, ({timestamp, content}) => [when(timestamp), line(content)])),
	note,
);

export const showValidation = ({stateId, note, baseline: {texts, heard, conversations, sources, from}}: ValidationView): string =>
	`State ${stateId} is validated: “${note}”.\nThe baseline has ${texts} texts, ${heard} of them by others, in ${conversations} `
		+ `conversations${sources === null ? '' : ` of ${sources} ${sources === 1 ? 'source' : 'sources'}`}, since ${when(from)}.`;

export const showDryRun = ({dissonanceTotal, dissonancePercentile, turnMrad, moves, nearest}: DryRunView): string => paragraphs(
	`Dissonance ${dissonanceTotal.toFixed(3)}`
		+ (dissonancePercentile === null ? '' : `, more than ${(100 * dissonancePercentile).toFixed(0)}% of the last texts`)
		+ `. It would turn the state by ${turnMrad.toFixed(3)} mrad.`,
	table(['direction', 'towards', 'before', 'after', 'change'], moves, each =>
		[each.key, towards(each, each.change), fixed(each.before, 5), fixed(each.after, 5), fixed(each.change, 5)]),
	table(['cosine', 'when', 'nearest text'], nearest, ({cosine, timestamp, content}) => [fixed(cosine, 3), timestamp, content]),
);

const ordinaryLeads = (p: number): string =>
	`Ordinary talk since the validation would lead as far in ${(100 * p).toFixed(0)} of 100 cases (p ${p.toFixed(2)}).`;

export const showWhatIf = ({from, cycles, leftOut, added, angleMrad, directions, words, p}: WhatIfView): string => paragraphs(
	lines(
		`Texts since state ${from.stateId}: ${cycles}; left out: ${leftOut}; added: ${added}. `
			+ `The other self is ${angleMrad.toFixed(1)} mrad away.`,
		...words,
		p === null ? null : ordinaryLeads(p),
	),
	table(['direction', 'leans more to', 'present', 'other', 'difference', 'z'], directions, each => [
		each.key, towards(each, each.difference), fixed(each.present, 5), fixed(each.other, 5), fixed(each.difference, 5),
		fixed(each.zDifference, 2),
	]),
);

export const showRevision = (revision: RevisionResponse): string => {
	const {id, texts, excluded, stateIdBefore, stateId, turnMrad, directions, words, p, limit} = revision;
	return paragraphs(
		lines(
			`State ${stateId} ${id === null ? 'would be' : 'is'} what ${texts} texts make of it; ${excluded} weigh nothing. `
				+ `It lies ${turnMrad.toFixed(1)} mrad from state ${stateIdBefore}.`,
			...words,
			p === null ? null : ordinaryLeads(p),
			limit,
		),
		showChanges(directions),
		id === null ? 'Nothing has changed: leave out --dry-run to do it.' : null,
	);
};

/** @param file Where the receipt is; null where it is to be printed. */
export const showForgetting = (forgetting: ForgetResponse, file: string | null = null): string => {
	const {id, texts, stateIdBefore, stateId, turnMrad, directions, words, validation, limit, elsewhere, receipt} = forgetting;
	return paragraphs(
		lines(
			`${texts} texts ${id === null ? 'would be' : 'are'} gone for good. State ${stateId} ${id === null ? 'would lie' : 'lies'} `
				+ `${turnMrad.toFixed(1)} mrad from state ${stateIdBefore}.`,
			...words, validation, limit, ...elsewhere,
		),
		showChanges(directions),
		id === null
			? 'Nothing has changed: leave out --dry-run to do it. It cannot be undone.'
			: lines('It cannot reach:', ...receipt!.unreached.map(each => `- ${each}`)),
		receipt && (file === null
			? lines('Keep this receipt; “processual verify-forgotten FILE FOLDER” searches with it:', JSON.stringify(receipt))
			: `The receipt is in ${file}. Keep it: “processual verify-forgotten ${file} FOLDER” searches with it.`),
	);
};

/** What was decided, in a line. */
const describeChoice = ({kind, without, at, holds, settled, forgotten}: PastRevision): string => {
	if (forgotten) {
		return `forgot ${forgotten.texts}`;
	}

	if (kind === 'release' || kind === 'drop') {
		return `${kind} of ${settled} held`;
	}

	if (kind === 'hold') {
		return holds ? `hold of ${[...holds.sources ?? [], ...holds.conversations ?? []].join(', ')}` : 'end of a hold';
	}

	const left = Object.entries(without ?? {}).map(([by, chosen]) => `${by} ${chosen.join(', ')}`).join('; ') || 'nothing';
	return `${at ? `back to state ${at.stateId}` : left}${holds ? ' (on hold)' : ''}`;
};

export const showRevisions = ({revisions}: Revisions): string => revisions.length === 0
	? 'No text was ever left out.'
	: table(['state', 'when', 'who', 'left out', 'texts', 'mrad', 'why'], revisions, revision => [
		revision.stateId, when(revision.timestamp), line(revision.by), line(describeChoice(revision)), revision.excluded,
		fixed(revision.turnMrad, 1), line(revision.note),
	])!;

export const showHeld = ({hold, waiting, texts, sources}: HeldTexts): string => paragraphs(
	hold
		? `On hold since ${when(hold.timestamp)}: ${line([...hold.sources, ...hold.conversations].join(', '))}. “${line(hold.note)}”`
		: 'No hold is in force.',
	waiting === 0 ? 'No text waits.' : `${waiting} texts wait, and weigh nothing until they are released.`,
	table(['who', 'texts', 'since', 'beside ordinary talk'], sources, ({source, texts: count, since, reading}) =>
		[line(source), count, when(since), fixed(reading, 1)]),
	table(['when', 'who', 'text', 'why', 'id'], texts, ({timestamp, source, content, reason, id}) =>
		[when(timestamp), line(source), line(content), line(reason), line(id)]),
);

export const showSettled = ({id, ids, stateIdBefore, stateId, turnMrad, directions, words, p, left}: Settled): string => paragraphs(
	lines(
		`${ids.length} texts ${id === null ? 'would wait' : 'wait'} no more. State ${stateId} ${id === null ? 'would lie' : 'lies'} `
			+ `${turnMrad.toFixed(1)} mrad from state ${stateIdBefore}.`,
		...words,
		p === null ? null : ordinaryLeads(p),
		left > 0 ? `${left} more are meant: repeat the command.` : null,
	),
	showChanges(directions),
	id === null ? 'Nothing has changed: leave out --dry-run to do it.' : null,
);
