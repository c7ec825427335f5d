/** Formats an identity's answers as sentences and tables for a terminal. */
import type {
	ConversationChart, Difference, DirectionChange, Drift, History, Ledger, LedgerEntry, ScaledProfile, Sources as SourcesReport, Uptake,
} from '../generated/types.ts';
import {describeMoved} from '../instruments/describe-drift.ts';
import {withTone} from '../instruments/scaled-profile.ts';
import type {DryRunView, ValidationView, WhatIfView} from '../identity/views.ts';
import {formatCount, formatFixed, formatP, phrase, translated} from '../platform/phrase.ts';
import {plainLine} from '../platform/plain-line.ts';
import {formatTable, type Cell} from './terminal.ts';

/** Maximum characters of a text in a line. */
const maxText = 60;

/** A text in one line, cut to `maxText`. */
export const line = (text: string | null | undefined): string => plainLine(text ?? '', maxText);

const percent = (share: number): string => phrase`${formatFixed(100 * share, 1)}%`;

/** A timestamp to the minute. */
export const when = (timestamp: string | undefined): string => timestamp?.slice(0, 16).replace('T', ' ') ?? '';

const shown = (share: number | null): string | null => share === null ? null : percent(share);

/** A number with fixed decimals; null if there is none. */
export const fixed = (number: number | null | undefined, digits: number): string | null =>
	number == null ? null : formatFixed(number, digits);

/** A probability as sentences show it; null if there is none. */
const probable = (p: number | null): string | null => p === null ? null : formatP(p);

export const paragraphs = (...parts: Array<string | null>): string => parts.filter(part => part !== null && part !== '').join('\n\n');

export const lines = (...parts: Array<string | null>): string => parts.filter(part => part !== null).join('\n');

/** Null if there are no entries. */
export const table = <Entry>(
	columns: readonly string[], entries: readonly Entry[], toCells: (entry: Entry) => readonly Cell[],
): string | null => entries.length === 0 ? null : formatTable(columns, entries.map(toCells));

type Poles = {polePositive: string; poleNegative: string};

const towards = ({polePositive, poleNegative}: Poles, change: number): string => change > 0 ? polePositive : poleNegative;

const nameEntry = ({kind, key, source}: LedgerEntry): string => ({
	beginning: phrase`(the beginning)`, before: phrase`(before)`, push: phrase`(the rule’s own push)`, others: phrase`(others)`,
} as Partial<Record<LedgerEntry['kind'], string>>)[kind] ?? line(source ?? translated(key));

export const showLedger = ({stateId, by, direction, value, from, cycles, beginningLeft, halfLifeCycles, entries, note}: Ledger): string => {
	const isByText = by === 'text';
	return paragraphs(
		lines(
			phrase`State ${stateId}, of ${formatCount(cycles, 'cycle')} since state ${from.stateId} of ${when(from.timestamp)}.`,
			halfLifeCycles === null
				? phrase`${percent(beginningLeft)} of that state is left.`
				: phrase`${percent(beginningLeft)} of that state is left; a text fades to half after
					${formatCount(Math.round(halfLifeCycles), 'cycle')}.`,
			direction && phrase`Its value on ${direction} is ${formatFixed(value!, 4)}, the sum of the parts.`,
		),
		formatTable(
			[
				isByText ? phrase`who` : translated(by), phrase`texts`, phrase`share`, ...direction === null ? [] : [phrase`part`],
				...isByText ? [phrase`when`, phrase`text`] : [],
			],
			entries.map(entry => [
				nameEntry(entry),
				entry.texts,
				percent(entry.share),
				...direction === null ? [] : [fixed(entry.part, 5)],
				...isByText ? [when(entry.timestamp), line(entry.content)] : [],
			]),
		),
		note,
	);
};

export const showHistory = ({from, to, direction, cycles, points}: History): string => paragraphs(
	phrase`From state ${from.stateId} of ${when(from.timestamp)} to state ${to.stateId} of ${when(to.timestamp)}:
		${formatCount(cycles, 'cycle')}.`,
	formatTable(
		[
			phrase`state`, phrase`when`, phrase`net mrad`, phrase`path mrad`, phrase`beginning left`, phrase`push`, phrase`dissonance`,
			phrase`percentile`, ...direction === null ? [] : [direction, 'z'], phrase`who`, phrase`text`,
		],
		points.map(({
			stateId, timestamp, netMrad, pathMrad, beginningLeft, push, dissonance, dissonancePercentile, value, z, source, content,
		}) => [
			stateId, when(timestamp), fixed(netMrad, 1), fixed(pathMrad, 1), percent(beginningLeft), fixed(push, 3), fixed(dissonance, 3),
			fixed(dissonancePercentile, 2), ...direction === null ? [] : [fixed(value, 4), fixed(z, 2)], line(source), line(content),
		]),
	),
);

/** Null if no direction changed. */
export const showChanges = (directions: readonly DirectionChange[]): string | null => {
	const changed = directions.filter(({change}) => change !== 0);
	return table([phrase`direction`, phrase`more`, phrase`from`, phrase`to`, phrase`change`, 'z'], changed, each => [
		each.key, towards(each, each.change), fixed(each.from, 4), fixed(each.to, 4), fixed(each.change, 4), fixed(each.zChange, 2),
	]);
};

export const showDifference = ({from, to, directions, sources, texts, words, note}: Difference): string => paragraphs(
	phrase`From state ${from.stateId} of ${when(from.timestamp)} to state ${to.stateId} of ${when(to.timestamp)}.`,
	words.join('\n'),
	showChanges(directions),
	table([phrase`who`, phrase`texts`, phrase`share of the turn`], sources, ({source, texts: count, share}) =>
		[line(source), count, percent(share)]),
	table([phrase`who`, phrase`when`, phrase`share of the turn`, phrase`text`], texts, ({source, timestamp, share, content}) =>
		[line(source), when(timestamp), phrase`${formatFixed(100 * share, 2)}%`, line(content)]),
	note,
);

export const showDrift = ({sentence, standOut, sources, chart, note}: Drift): string => paragraphs(
	sentence,
	table([phrase`direction`, phrase`more`, 't', phrase`by chance`, 'p'], standOut, ({key, pole, t, typicalT, p}) =>
		[key, pole, fixed(t, 2), fixed(typicalT, 2), probable(p)]),
	table(
		[phrase`who`, phrase`texts`, phrase`of all`, phrase`weight`, phrase`of the difference`, 'p'], sources,
		({source, texts, textShare, weightShare, share, p}) =>
			[line(source), texts, percent(textShare), percent(weightShare), shown(share), probable(p)],
	),
	chart && showChart(chart),
	note,
);

/** A channel has hundreds of sources; `--json` shows more. */
const maxBlamed = 10;

const showChart = ({conversations, readings, averageRunLength, alarm, since, blame, moved}: ConversationChart): string => paragraphs(
	conversations === 0 ? null : lines(
		phrase`${formatCount(conversations, 'conversation')} since the validation; ordinary talk exceeds a limit once in
			${averageRunLength} conversations, on average.`,
		formatTable(
			[phrase`span`, phrase`reading`, phrase`limit`],
			readings.map(({span, reading, limit}) => [span, `${formatFixed(reading, 2)}${reading > limit ? ' !' : ''}`, formatFixed(limit, 2)]),
		),
	),
	since && phrase`The reading has been longer than usual since ${when(since.timestamp)}, beginning with a text of ${line(since.source)}.`,
	alarm && moved.sources > 1 ? phrase`In this reading ${moved.alike} of ${formatCount(moved.sources, 'source')} moved this way.` : null,
	table(
		[phrase`who`, phrase`texts`, phrase`of the reading`], blame.slice(0, maxBlamed),
		({source, texts, share}) => [line(source), texts, percent(share)],
	),
);

export const showSources = ({stateId, since, sources, moved, note}: SourcesReport): string => paragraphs(
	phrase`From state ${since.stateId} to state ${stateId}.`,
	table(
		[
			phrase`who`, phrase`texts`, phrase`conversations`, phrase`of all`, phrase`weight`, phrase`of the difference`, 'p',
			phrase`coherence`, phrase`changed p`, phrase`uptake p`, phrase`echoes`,
		], sources,
		({source, texts, conversations, textShare, weightShare, share, p, coherence, changedP, uptakeP, echoes}) => [
			line(source), texts, conversations, percent(textShare), percent(weightShare), shown(share), probable(p),
			fixed(coherence, 2), probable(changedP), probable(uptakeP), echoes,
		],
	),
	moved && describeMoved(moved),
	note,
);

export const showProfile = ({stateId, lens, begunAtRandom, examples, note, tone, directions}: ScaledProfile, all: boolean): string => {
	const candidates = withTone(directions, tone);
	const listed = candidates
		.filter(({standsOut}) => all || standsOut)
		.toSorted((a, b) => Math.abs(b.z ?? 0) - Math.abs(a.z ?? 0));
	return paragraphs(
		lines(
			lens === 'own'
				? phrase`State ${stateId}, each direction on the dimension of its category, compared with ${examples} example sentences.`
				: phrase`State ${stateId} on thirdness, which texts move, compared with ${examples} example sentences.`,
			begunAtRandom ? phrase`This identity began at random: directions that do not move show only chance.` : null,
			note,
			listed.length === 0 ? phrase`Nothing stands out.` : null,
		),
		table(
			[phrase`direction`, phrase`leans to`, phrase`rather than`, 'z', phrase`percentile`, phrase`word`, phrase`moves`], listed,
			({key, pole, polePositive, poleNegative, z, percentile, word, moves}) => [
				key, pole, pole && (pole === polePositive ? poleNegative : polePositive), fixed(z, 2), fixed(percentile, 2),
				word && translated(word), moves,
			],
		),
		all || listed.length === candidates.length ? null : showRest(listed.length, candidates.length - listed.length),
	);
};

const showRest = (listed: number, rest: number): string => listed === 0
	? phrase`${rest} are no different from chance; --all shows them.`
	: phrase`${rest} more are no different from chance; --all shows them.`;

export const showUptake = ({sentence, sources, note}: Uptake): string => paragraphs(
	sentence,
	table([phrase`heard → said`, phrase`texts`, phrase`since`, phrase`deviations`, 'p'], sources, ({source, texts, since, effect, p}) =>
		[line(source), texts, when(since), fixed(effect, 2), probable(p)]),
	...sources.map(({source, shownBy}) =>
		table([phrase`like ${line(source)}`, phrase`text`], shownBy, ({timestamp, content}) => [when(timestamp), line(content)])),
	note,
);

export const showValidation = ({stateId, note, baseline: {texts, heard, conversations, sources, from}}: ValidationView): string =>
	lines(
		phrase`State ${stateId} is validated: “${note}”.`,
		sources === null
			? phrase`The baseline has ${texts} texts, ${heard} of them by others, in ${conversations} conversations, since ${when(from)}.`
			: phrase`The baseline has ${texts} texts, ${heard} of them by others, in ${conversations} conversations of
				${formatCount(sources, 'source')}, since ${when(from)}.`,
	);

export const showDryRun = ({
	dissonanceTotal, dissonancePercentile, turnMrad, moves, nearest, held, truncated = false, unknownShare = 0,
}: DryRunView): string => paragraphs(
	[
		dissonancePercentile === null
			? phrase`Dissonance ${formatFixed(dissonanceTotal, 3)}.`
			: phrase`Dissonance ${formatFixed(dissonanceTotal, 3)}, more than ${(100 * dissonancePercentile).toFixed(0)}% of the last texts.`,
		phrase`It would turn the state by ${formatFixed(turnMrad, 3)} mrad.`,
	].join(' '),
	held === undefined ? null : phrase`It would be held back, and move nothing until it is released. ${held}`,
	truncated ? phrase`The text is too long for the model, which does not read its end.` : null,
	// The same threshold as in the log's warning for a text that was heard.
	unknownShare > 0.5 ? phrase`${percent(unknownShare)} of the text is not in the model’s vocabulary.` : null,
	table([phrase`direction`, phrase`towards`, phrase`before`, phrase`after`, phrase`change`], moves, each =>
		[each.key, towards(each, each.change), fixed(each.before, 5), fixed(each.after, 5), fixed(each.change, 5)]),
	table([phrase`cosine`, phrase`when`, phrase`nearest text`], nearest, ({cosine, timestamp, content}) =>
		[fixed(cosine, 3), when(timestamp), line(content)]),
);

export const ordinaryLeads = (p: number): string => p < 0.01
	? phrase`Ordinary talk since the validation would lead as far in fewer than one of 100 cases (p ${formatP(p)}).`
	: phrase`Ordinary talk since the validation would lead as far in ${(100 * p).toFixed(0)} of 100 cases (p ${formatP(p)}).`;

export const showWhatIf = ({from, cycles, leftOut, added, angleMrad, directions, words, p}: WhatIfView): string => paragraphs(
	lines(
		phrase`Texts since state ${from.stateId}: ${cycles}; left out: ${leftOut}; added: ${added}. The other self is
			${formatFixed(angleMrad, 1)} mrad away.`,
		...words,
		p === null ? null : ordinaryLeads(p),
	),
	table([
		phrase`direction`, phrase`leans more to`, phrase`present`, phrase`other`, phrase`difference`, 'z',
	], directions.filter(({difference}) => difference !== 0), each => [
		each.key, towards(each, each.difference), fixed(each.present, 5), fixed(each.other, 5), fixed(each.difference, 5),
		fixed(each.zDifference, 2),
	]),
);
