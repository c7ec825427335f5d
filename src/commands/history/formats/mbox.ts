/** Mail in the mbox format: consecutive messages, each after a line that begins with “From ”. Quotes are left out. */
import PostalMime, {type Email} from 'postal-mime';
import {reasonOf} from '../../../platform/errors.ts';
import {removeElements} from '../../../platform/remove-elements.ts';
import {readLines} from '../../transfer/entry-reader.ts';
import {said, timeOf, type Format, type FoundText, type PastFile} from '../past-text.ts';

/** In bytes. A message includes its attachments. */
const maxMessage = 2 ** 26;

const separator = /^From \S.*\d{4}/;

export const mbox: Format = {
	name: 'mail folders (mbox)',
	detect: ({head}) => separator.test(head) && /\n[\w-]+:/.test(head.slice(0, 2000)),
	read,
};

async function * read({path}: PastFile): AsyncGenerator<FoundText> {
	let lines: string[] = [];
	let [begin, length, isBlank] = [1, 0, true];
	for await (const {line, text} of readLines(path, {isRaw: true})) {
		if (isBlank && separator.test(text)) {
			yield * await readMessage(lines, begin, length);
			[lines, begin, length] = [[], line, 0];
		} else {
			length += text.length + 1;
			if (length <= maxMessage) {
				// Unquotes a line of the text that looked like a separator.
				lines.push(text.replace(/^>(>*From )/, '$1'));
			}
		}

		isBlank = text.trim() === '';
	}

	yield * await readMessage(lines, begin, length);
}

const readMessage = async (lines: readonly string[], line: number, length: number): Promise<FoundText[]> => {
	if (length === 0) {
		return [];
	}

	if (length > maxMessage) {
		return [{line, reason: 'the message is larger than 64 MiB'}];
	}

	let mail: Email;
	try {
		mail = await PostalMime.parse(Buffer.from(lines.join('\n'), 'latin1'));
	} catch (error) {
		return [{line, reason: `the message cannot be read: ${reasonOf(error)}`}];
	}

	const {headers, from, date, text, html, references, inReplyTo, messageId} = mail;
	// The parser would read a date without a zone in the local time zone.
	const written = headers.find(({key}) => key === 'date')?.value;
	const content = withoutQuotes(text ?? plainTextOf(html ?? ''));
	// A thread has the id of its first message.
	const thread = /<[^<>\s]+>/.exec(references ?? '')?.[0] ?? inReplyTo ?? messageId ?? null;
	return content.trim() === ''
		? [{line, reason: 'the message has no text'}]
		: said(content, from?.address || from?.name || 'unknown', {conversation: thread, saidAt: timeOf(written) ?? timeOf(date)});
};

/** Removes elements that can stand within a word, and replaces all others by a space. */
const plainTextOf = (html: string): string => removeElements(html, /<(style|script|head|blockquote)\b[^<>]*>/gi, ' ')
	.replaceAll(/<\/?(?:a|b|i|u|em|strong|span|font|small)\b[^<>]*>/gi, '')
	.replaceAll(/<[^<>]*>/g, ' ')
	.replaceAll(/&(?:#(\d{1,6}|x[\da-f]{1,5})|(\w{1,10}));/gi, (entity, code?: string, name?: string) =>
		code === undefined ? characters[name!] ?? entity : String.fromCodePoint(Number(code.replace(/^x/i, '0x'))));

/** The entities that mail programs write in English; they write other characters as they are, or by their numbers. */
const characters: Readonly<Record<string, string>> = {
	nbsp: ' ', lt: '<', gt: '>', amp: '&', quot: '"', apos: '\'', lsquo: '‘', rsquo: '’', ldquo: '“', rdquo: '”', ndash: '–', mdash: '—',
	hellip: '…',
};

/** “On Monday, Ada wrote:”, which may be broken into two lines, and the quoted lines. */
const quoted = /^On .*(?:\n.*)?wrote:(?=\s*^>)|^>.*$/gm;

/** Removes quotes and the signature. */
const withoutQuotes = (text: string): string => text.replaceAll('\r\n', '\n').replaceAll(quoted, '').split(/\n-- \n/)[0]!;
