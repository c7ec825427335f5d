/**
 * Chat logs, one line per text: a time, a nick in angle brackets or between tabs, the text. A line without a date has that of the
 * last line with one, else of the file's name; when the clock goes back, the next day begins. Times are read as UTC.
 */
import {notUtf8, readLines} from '../../transfer/entry-reader.ts';
import {readTime} from '../../../platform/clock.ts';
import {said, timeOf, type Format, type FoundText, type PastFile} from '../past-text.ts';

/** The day and the time, with brackets or without. */
const clock = String.raw`\[?(?:(\d{4}-\d\d-\d\d)[T ])?(\d\d):(\d\d)(?::(\d\d)(?:[.,]\d+)?)?Z?\]?`;

// The dot matches everything, including the carriage return of a Windows line.
const bracketed = new RegExp(String.raw`^${clock}\s+<[\s@+%&~!]*([^<>\s@+%&~!][^<>]*)>(?:\s(.*))?$`, 's');

/** WeeChat's format. */
const tabbed = new RegExp(String.raw`^${clock}\t[@+%&~! ]?([\w[\]{}|\\^\x60][\w[\]{}|\\^\x60-]*)\t(.*)$`, 's');

const timed = new RegExp(`^${clock}`);

/**
 * irssi's lines: “--- Day changed Mon Jan 02 2006”, “--- Log opened Mon Jan 02 15:04:05 2006”. Exactly three letters: in another
 * language a longer name may begin like another month (“marras” is November, not March).
 */
const changedDay = /^--- (?:Day changed|(Log opened)) \S+ (?:(\w{3} \d\d)|\S+ \d\d)(?: \d\d:\d\d:\d\d)? (\d{4})/;

const dayInName = /(\d{4})[-_.]?(0[1-9]|1[0-2])[-_.]?([0-2]\d|3[01])/;

/** Joins, parts, topics, actions and lists of nicks. */
const isNotice = (line: string): boolean => /^(?:===|---|\*\*\*|#)/.test(line.replace(timed, '').trim() || '---')
	|| /^\s*(?:\[(?:Users |[\s@+%&~!])|(?:-!-|-[^-\s]+-|=!=|\*|<--|-->|--)\s)/.test(line.replace(timed, ''));

const dayMs = 86_400_000;

export const chatLogs: Format = {
	name: 'chat logs',
	detect({head}) {
		const lines = head.split('\n').slice(0, 200).filter(line => line.trim() !== '');
		const texts = lines.filter(line => bracketed.test(line) || tabbed.test(line)).length;
		// A quiet channel has mostly joins and quits.
		return texts > 0.2 * lines.filter(line => !isNotice(line)).length;
	},
	read,
};

async function * read({path, name}: PastFile): AsyncGenerator<FoundText> {
	const [, year, month, date] = dayInName.exec(name) ?? [];
	const named = year === undefined ? null : timeOf(`${year}-${month}-${date}`);
	let day = named;
	let before = 0;
	// Without its day, the name is the channel's: the files of one channel are one conversation.
	const channel = name.replace(dayInName, '').replace(/\.(?:log|txt|weechatlog)$/i, '').replaceAll(/^[-_.\s]+|[-_.\s]+$/g, '') || null;
	for await (const {line, text, isRead} of readLines(path)) {
		const [, opened, monthAndDate, ofYear] = changedDay.exec(text) ?? [];
		if (ofYear !== undefined) {
			const unread = opened ? named : day === null ? null : day + dayMs;
			[day, before] = [timeOf(`${monthAndDate} ${ofYear}`) ?? unread, 0];
			continue;
		}

		const found = bracketed.exec(text) ?? tabbed.exec(text);
		if (!found) {
			yield * text.trim() === '' || isNotice(text) ? [] : [{line, reason: 'it lacks a time, a nick or a text'}];
			continue;
		}

		const [, ownDay, hours, minutes, seconds = '00', nick, content = ''] = found;
		if (Number.isNaN(readTime(`${ownDay ?? '2000-01-01'} ${hours}:${minutes}:${seconds}`))) {
			yield {line, reason: `its time is invalid: ${timed.exec(text)![0]}`};
			continue;
		}

		const sinceMidnight = 1000 * (60 * (60 * Number(hours) + Number(minutes)) + Number(seconds));
		day = ownDay === undefined ? day !== null && sinceMidnight < before - dayMs / 2 ? day + dayMs : day : readTime(ownDay);
		before = sinceMidnight;
		yield * isRead
			? said(content, nick!.trim(), {conversation: channel, saidAt: day === null ? null : day + sinceMidnight})
			: [{line, reason: notUtf8}];
	}
}
