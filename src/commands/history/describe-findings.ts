/** Describes the findings in files, and the drift after them, for a terminal. */
import {sampleEvenly} from '../../instruments/history.ts';
import type {Drift} from '../../generated/types.ts';
import {plainLine} from '../../platform/plain-line.ts';
import {formatTable} from '../terminal.ts';
import {formatCount, formatFixed, phrase} from '../../platform/phrase.ts';
import type {HistoryFindings} from './staged-history.ts';

export const describeFindings = (found: HistoryFindings): string => {
	const {formats, from, undated, repeated, unreadable: {count: unread, named}} = found;
	return [
		formatTable([phrase`format`, phrase`files`, phrase`texts`], [...formats].map(([name, each]) => [name, each.files, each.texts])),
		from === null ? null : describeTexts(found),
		undated > 0 ? phrase`${formatCount(undated, 'text')} without a time: the time of the file is used.` : null,
		repeated > 0 ? phrase`Duplicates in several files, heard once: ${formatCount(repeated, 'text')}.` : null,
		unread > 0 ? [
			phrase`${unread} could not be read:`,
			...named.map(({file, line, reason}) =>
				`  ${plainLine(file)}${line === null ? '' : `, ${phrase`line ${line}`}`}: ${plainLine(reason, 200)}`),
			...unread > named.length ? [`  ${phrase`… and ${unread - named.length} more.`}`] : [],
		].join('\n') : null,
	].filter(part => part !== null && part !== '').join('\n');
};

const describeTexts = ({texts, own, sources, conversations, ...found}: HistoryFindings): string => {
	const [from, to] = [found.from, found.to].map(time => new Date(time!).toISOString().slice(0, 10)) as [string, string];
	const whose = phrase`${formatCount(texts, 'text')} of ${formatCount(sources, 'source')}`;
	const what = conversations === 0 ? whose : phrase`${whose}, in ${formatCount(conversations, 'conversation')}`;
	return own === 0
		? phrase`${what}, from ${from} to ${to}; none of them by the agent.`
		: phrase`${what}, from ${from} to ${to}; ${own} of them by the agent.`;
};

const bars = '▁▂▃▄▅▆▇█';

/** Maximum looks in a line, if the terminal is wide enough. */
const maxBars = 60;

/** Draws values as a line of bars. @param top The minimum value of the highest bar. */
export const drawBars = (values: readonly number[], top: number): string => {
	const highest = Math.max(top, ...values);
	return values.map(value => bars[Math.min(bars.length - 1, Math.floor(value / highest * bars.length))]).join('');
};

/**
 * Draws the distances of the looks as a line of bars. Those above the limit of ordinary talk are marked below it.
 *
 * @param width The terminal's columns (it reports 0 if unknown). A longer line would wrap, and separate marks from bars.
 */
export const drawPath = (
	{path, limit}: Pick<Drift, 'path' | 'limit'>, width = process.stdout.columns || Infinity,
): string | null => {
	if (path.length < 2 || limit === null) {
		return null;
	}

	const days = phrase`${path[0]!.timestamp.slice(0, 10)} to ${path.at(-1)!.timestamp.slice(0, 10)}`;
	const looks = sampleEvenly(path, Math.max(2, Math.min(maxBars, width - days.length - 2)));
	const line = drawBars(looks.map(({distance}) => distance), limit);
	const over = looks.map(({distance}) => distance > limit ? '^' : ' ').join('').trimEnd();
	const [now, most] = [formatFixed(looks.at(-1)!.distance, 1), formatFixed(limit, 2)];
	return [
		`${line}  ${days}`,
		...over === '' ? [] : [over],
		over === ''
			? phrase`Distance of the texts it heard from ordinary talk: ${now} now; 1 is usual, and 19 of 20 ordinary histories stay under
				${most}.`
			: phrase`Distance of the texts it heard from ordinary talk: ${now} now; 1 is usual, and 19 of 20 ordinary histories stay under ${most}
				(^ is above it).`,
	].join('\n');
};
