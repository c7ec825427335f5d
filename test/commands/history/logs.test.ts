/** Chat logs, mail, tables and exports of memories. */
import {execFile} from 'node:child_process';
import {readFile} from 'node:fs/promises';
import path from 'node:path';
import {promisify} from 'node:util';
import test from 'ava';
import {root} from '../../helpers/built-package.ts';
import {StagedHistory} from '../../../src/commands/history/staged-history.ts';
import {lines, readFiles, readFolder, text} from './read-history.ts';

test('a channel log gives nicks, with the day of the file name and the next day after midnight', async t => {
	const {format, found} = await readFiles(t, {'2004-12-25.harbour.txt': [
		'[23:58] <ada> the tide is in',
		'=== ben [n=ben@example.org]  has joined #harbour',
		'[23:59] <@ben> and the <b>boats</b> are out',
		'[00:01] <ada> good night',
		'what is this',
	].join('\n')});
	t.is(format, 'chat logs');
	t.deepEqual(found, [
		text('the tide is in', 'ada', 'harbour', '2004-12-25T23:58:00Z'),
		text('and the <b>boats</b> are out', 'ben', 'harbour', '2004-12-25T23:59:00Z'),
		text('good night', 'ada', 'harbour', '2004-12-26T00:01:00Z'),
		{line: 5, reason: 'it lacks a time, a nick or a text'},
	]);
});

test('logs may have Windows line endings, and Unicode line separators within a text', async t => {
	const bracketed = await readFiles(t, {'#harbour 2026-01-02.log': '[15:04] <ada> hello\r\n[15:05] <ben> one\u2028two\r\n\r\n'});
	t.is(bracketed.format, 'chat logs');
	t.deepEqual(bracketed.found, [text('hello', 'ada', '#harbour', '2026-01-02T15:04:00Z'),
		text('one\u2028two', 'ben', '#harbour', '2026-01-02T15:05:00Z')]);
	t.deepEqual((await readFiles(t, {'a.weechatlog': '2026-01-02 15:04:09\tada\thello\r\n'})).found,
		[text('hello', 'ada', 'a', '2026-01-02T15:04:09Z')]);
});

test('logs of irssi, WeeChat and ZNC are read', async t => {
	const irssi = await readFiles(t, {'harbour.log': [
		'--- Log opened Mon Jan 02 15:04:05 2006', '15:04 -!- ada [a@b] has joined #harbour', '15:05 < ada> hello', '15:06  * ada waves',
		'--- Day changed Tue Jan 03 2006', '08:00 <+ben> morning',
	].join('\n')});
	t.deepEqual(irssi.found, [text('hello', 'ada', 'harbour', '2006-01-02T15:05:00Z'), text('morning', 'ben', 'harbour',
		'2006-01-03T08:00:00Z')]);
	const weechat = await readFiles(t, {'irc.libera.#harbour.weechatlog': '2026-01-02 15:04:05\t-->\tada (a@b) has joined\n2026-01-02 '
		+ '15:04:09\tada\thello\n'});
	t.deepEqual(weechat.found, [text('hello', 'ada', 'irc.libera.#harbour', '2026-01-02T15:04:09Z')]);
	const znc = await readFiles(t, {'#harbour/2026-01-02.log': '[15:04:05] *** Joins: ada (a@b)\n[15:04:09] <ada> hello\n'});
	t.deepEqual(znc.found, [text('hello', 'ada', null, '2026-01-02T15:04:09Z')]);
});

test('a log of a quiet channel is read, without its joins, lists of nicks and topics', async t => {
	const znc = await readFiles(t, {'2026-01-02.log': [
		...Array.from({length: 9}, (_, i) => `[15:04:0${i}] *** Joins: ada${i} (a@b)`), '[15:05:00] <ada> hello', '[15:06:00] -NickServ- hush',
	].join('\n')});
	t.deepEqual([znc.format, znc.found], ['chat logs', [text('hello', 'ada', null, '2026-01-02T15:05:00Z')]]);
	const irssi = await readFiles(t, {'harbour 2026-01-02.log':
		'15:04 [Users #harbour]\n15:04 [@ChanServ] [ ada] [ ben] \n15:05 < ada> hello\n'});
	t.deepEqual(irssi.found, [text('hello', 'ada', 'harbour', '2026-01-02T15:05:00Z')]);
	const weechat = await readFiles(t, {'harbour.weechatlog':
		'2026-01-02 15:04:05\t--\tTopic for #harbour is "tides"\n2026-01-02 15:04:06\t=!=\tlost\n2026-01-02 15:05:00\tada\thello\n'});
	t.deepEqual(weechat.found, [text('hello', 'ada', 'harbour', '2026-01-02T15:05:00Z')]);
});

test('mail gives its sender, time, thread and decoded text without quotations', async t => {
	const {format, found} = await readFiles(t, {'inbox.mbox': [
		'From ada@example.org Mon Jan 05 10:00:00 2026',
		'From: Ada <ada@example.org>', 'Date: Mon, 5 Jan 2026 10:00:00 +0100', 'Subject: =?utf-8?q?N=C3=A4hte?=', 'Message-ID: <1@x>',
		'Content-Type: text/plain; charset=utf-8', 'Content-Transfer-Encoding: quoted-printable', '',
		'The seams leak: N=C3=A4hte.', '>From now on we caulk.', '-- ', 'Ada', '',
		'From ben@example.org Mon Jan 05 11:00:00 2026',
		'From: ben@example.org', 'Date: Mon, 5 Jan 2026 11:00:00 +0100', 'Message-ID: <2@x>', 'In-Reply-To: <1@x>', 'References: <1@x>',
		'Content-Type: multipart/alternative; boundary="b"', '', '--b', 'Content-Type: text/html', '', '<p>I come <b>tomorrow</b>.</p>',
			'--b--', '',
		'From eve@example.org Mon Jan 05 12:00:00 2026', 'From: eve@example.org', 'Date: Mon, 5 Jan 2026 12:00:00 +0100', '',
			'> quoted alone', '',
	].join('\n')});
	t.is(format, 'mail folders (mbox)');
	t.like(found[0], {source: 'ada@example.org', conversation: '<1@x>', saidAt: Date.parse('2026-01-05T09:00:00Z'),
		content: 'The seams leak: Nähte.\nFrom now on we caulk.'});
	t.like(found[1], {source: 'ben@example.org', conversation: '<1@x>', content: 'I come tomorrow.'});
	t.deepEqual(found[2], {line: 28, reason: 'the message has no text'});
});

test('a quotation may be announced in two lines, and HTML has entities and quotations', async t => {
	const {found} = await readFiles(t, {'inbox.mbox': [
		'From ada@example.org Mon Jan 05 10:00:00 2026', 'From: ada@example.org', '',
		'On Mon, Jan 5, 2026 at 9:00 AM Benjamin of the harbour office', '<ben@example.org> wrote:', '', '> The tide?', '', 'It turns.', '',
		'From ada@example.org Mon Jan 05 11:00:00 2026', 'From: ada@example.org', 'Content-Type: text/html', '',
		'<p>I don&#39;t &amp;lt; &ldquo;know&rdquo; &#128674; &unknown; &#x2019;</p><blockquote>The tide?</blockquote>', '',
	].join('\n')});
	t.deepEqual(found.map(each => 'content' in each && each.content), ['It turns.', 'I don\'t &lt; “know” \u{1F6A2} &unknown; ’']);
});

test('a mail that repeats the beginning of a tag, a quotation or a date a million times is read quickly', async t => {
	const mail = (content: string, date = 'Mon, 5 Jan 2026 10:00:00 +0100') => [
		'From eve@example.org Mon Jan 05 12:00:00 2026', `Date: ${date}`, 'Content-Type: text/html', '', content, '',
	].join('\n');
	const times = 1_000_000;
	// A search from each of them to the end would take minutes, and AVA would time out.
	const {found} = await readFiles(t, {'inbox.mbox': [
		mail('<'.repeat(times)), mail('<a '.repeat(times)), mail('<style>'.repeat(times)),
		mail(`On Monday, eve wrote:${'\n'.repeat(times / 5)}.`),
		mail('a', `Jan 2026 ${'Z('.repeat(times)}`), `From ${'a'.repeat(times)}`,
	].join('\n')});
	t.is(found.length, 5);
});

test('a long line, a cell of many lines with quotes, and a nick of blanks are read in time that grows with their length', async t => {
	const log = await readFiles(t, {'2026-01-01.log': [
		`[10:00] <ada> ${'a'.repeat(70_000_000)}`, '[10:01] <ben> hello', `[10:02] <${' '.repeat(100_000)}`,
	].join('\n')});
	t.deepEqual(log.found.map(each => 'content' in each ? each.content.length : each), [
		100_001, 5, {line: 3, reason: 'it lacks a time, a nick or a text'},
	]);
	const said = 'He said “"yes"”, and then ""no"".\n'.repeat(20_000).trim();
	const table = await readFiles(t, {'talk.csv': `content,source\n"${said.replaceAll('"', '""')}",ada\nhello,ben\n`});
	t.deepEqual(table.found.map(each => 'source' in each && each.source), ['ada', 'ben']);
});

test('a text that a file repeats thousands of times is staged as often, and again in another file not at all', async t => {
	const {folder} = await readFiles(t, {
		'a.jsonl': lines(...Array.from({length: 10_000}, () => ({content: 'ok', source: 'ada', date: '2026-01-01'}))),
		'b.jsonl': lines(...Array.from({length: 3}, () => ({content: 'ok', source: 'ada', date: '2026-01-01'}))),
	});
	const staged = new StagedHistory(path.join(folder, 'staging'));
	await staged.read(['a.jsonl', 'b.jsonl'].map(name => path.join(folder, name)), () => {});
	t.like(staged.findings(), {texts: 10_000, repeated: 3});
	t.is(new Set([...staged.texts(0)].map(({id}) => id)).size, 10_000);
	staged.close();
});

test('the date of a mail without a time zone is read as UTC, whatever the local zone', async t => {
	const {folder} = await readFiles(t, {'inbox.mbox': ['', ' EST'].map(zone => ['From ada@example.org Mon Jan 05 10:00:00 2026',
		'From: Ada <ada@example.org>', `Date: Mon, 5 Jan 2026 10:00:00${zone}`, '', 'The sea is quiet.', ''].join('\n')).join('\n')});
	const module = new URL('read-history.ts', import.meta.url).href;
	const script = `const {readFolder} = await import(${JSON.stringify(module)});
		console.log(JSON.stringify((await readFolder(${JSON.stringify(folder)})).found.map(({saidAt}) => new Date(saidAt))));`;
	const {stdout} = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script],
		{env: {PATH: process.env['PATH'], TZ: 'Asia/Tokyo'}, cwd: root});
	t.deepEqual(JSON.parse(stdout), ['2026-01-05T10:00:00.000Z', '2026-01-05T15:00:00.000Z']);
});

test('CSV and JSON Lines are read with our field names or common ones', async t => {
	const csv = await readFiles(t, {'talk.csv': 'said_at,source,conversation,content\n2026-01-01T10:00:00Z,Ada,first,"Hello, '
		+ 'you"\n2026-01-01 10:01,self,first,Hi\n,Ada,first,\n'});
	t.is(csv.format, 'CSV files');
	t.deepEqual(csv.found.slice(0, 2), [
		text('Hello, you', 'Ada', 'first', '2026-01-01T10:00:00Z'), text('Hi', 'self', 'first', '2026-01-01T10:01:00Z'),
	]);
	t.like(csv.found[2], {line: 4});

	const jsonLines = await readFiles(t, {'talk.jsonl': lines(
		{kind: 'state', content: 'I am a listener.'},
		{content: 'Hello.', source: 'Ada', conversation: 'first', said_at: '2026-01-01T10:00:00Z'},
		{text: 'Hi.', role: 'assistant', session_id: 's', timestamp: 1_772_000_000},
		{content: 'Do this.', role: 'system'},
		{contents: 'Misspelled.'},
	)});
	t.is(jsonLines.format, 'JSON Lines');
	t.deepEqual(jsonLines.found.slice(0, 3), [
		{persona: 'I am a listener.'},
		text('Hello.', 'Ada', 'first', '2026-01-01T10:00:00Z'),
		{content: 'Hi.', source: 'self', conversation: 's', saidAt: 1_772_000_000_000},
	]);
	t.like(jsonLines.found[3], {line: 5});
	t.is(jsonLines.found.length, 4);
});

for (const [name, delimiter, file] of [['semicolons', ';', 'talk.csv'], ['tabs', '\t', 'talk.tsv']] as const) {
	test(`CSV from spreadsheets is read, with ${name} and capital letters`, async t => {
		const rows = [['Sent At', 'Author', 'Message'], ['2026-01-01T10:00:00Z', 'Ada', '"Hello, you"']];
		for (const end of ['\r\n', '\n']) {
			const {format, found} = await readFiles(t, {[file]: rows.map(row => `${row.join(delimiter)}${end}`).join('')});
			t.is(format, 'CSV files');
			t.deepEqual(found, [text('Hello, you', 'Ada', null, '2026-01-01T10:00:00Z')]);
		}
	});
}

test('a chat line with an invalid time is rejected, and a change of day is also read in other languages', async t => {
	const days = await readFiles(t, {'harbour.log': [
		'2026-13-01 10:00 <ada> hello', '2026-02-30 10:00 <ada> hello', '2026-01-02 25:61 <ada> hello', '2026-01-02 10:01 <ben> good day',
	].join('\n')});
	t.deepEqual(days.found, [
		{line: 1, reason: 'its time is invalid: 2026-13-01 10:00'}, {line: 2, reason: 'its time is invalid: 2026-02-30 10:00'},
		{line: 3, reason: 'its time is invalid: 2026-01-02 25:61'}, text('good day', 'ben', 'harbour', '2026-01-02T10:01:00Z'),
	]);
	const spanish = await readFiles(t, {'harbour 2026-01-04.log': [
		'--- Log opened dom ene 04 15:04:05 2026', '15:05 < ada> hola', '--- Day changed lun ene 05 2026', '08:00 <+ben> buenas',
		'--- Day changed ti marras 06 2026', '08:01 <+ben> moi', '--- Day changed Mi Jan 07 2026', '08:02 <+ben> hallo',
	].join('\n')});
	t.deepEqual(spanish.found, [['hola', 'ada', '04T15:05'], ['buenas', 'ben', '05T08:00'], ['moi', 'ben', '06T08:01'],
		['hallo', 'ben', '07T08:02']].map(([content, who, time]) => text(content!, who!, 'harbour', `2026-01-${time}:00Z`)));
	t.deepEqual((await readFiles(t, {'harbour 2026-02-31.log': '15:05 <ada> hello\n'})).found, [text('hello', 'ada', 'harbour', null)]);
});

test('times from spreadsheets are read as UTC, and ambiguous ones are rejected', async t => {
	const times = ['5.1.2026 8:15', '13.01.2026 08:15:30', '2026/1/5 08:15', 'Jan 5, 2026 8:15 AM', 'Mon, 05 Jan 2026 08:15:00 +0100',
		'Mon, 05 Jan 2026 08:15:00 EST'];
	const rows = [...times, '05/01/2026 08:15', '46027,34', 'May 5'].map(time => `${time};Hello.`);
	const {found} = await readFiles(t, {'talk.csv': ['said_at;text', ...rows].join('\n')});
	t.deepEqual(found, [
		...['2026-01-05T08:15:00Z', '2026-01-13T08:15:30Z', '2026-01-05T08:15:00Z', '2026-01-05T08:15:00Z', '2026-01-05T07:15:00Z',
			'2026-01-05T13:15:00Z']
			.map(time => text('Hello.', 'user', null, time)),
		{line: 8, reason: 'its time “05/01/2026 08:15” is ambiguous: write it as 2026-03-02T08:15:00Z'},
		{line: 9, reason: 'its time “46027,34” is ambiguous: write it as 2026-03-02T08:15:00Z'},
		{line: 10, reason: 'its time “May 5” is ambiguous: write it as 2026-03-02T08:15:00Z'},
	]);
	t.deepEqual((await readFiles(t, {'talk.csv': 'date,time,text\n2026-01-05,08:15:30,Hello.\n'})).found,
		[text('Hello.', 'user', null, '2026-01-05T08:15:30Z')]);
});

test('times are read as PostgreSQL and other databases write them', async t => {
	const times = ['2026-01-05 08:15:00+00', '2026-01-05 09:15:00.25+01', '2026-01-05 08:15:00 UTC', '2026-01-05 03:45:00-04:30'];
	t.deepEqual((await readFiles(t, {'talk.csv': ['said_at;text', ...times.map(time => `${time};Hello.`)].join('\n')})).found,
		['08:15:00Z', '08:15:00.250Z', '08:15:00Z', '08:15:00Z'].map(time => text('Hello.', 'user', null, `2026-01-05T${time}`)));
});

test('a time outside the years 0000 to 9999 is rejected', async t => {
	const rows = ['0001-01-01T00:00:00Z', -70_000_000_000, '0000-01-01T00:00:00+14:00', '9999-12-31T23:59:59-14:00']
		.map(time => JSON.stringify({content: 'Hello.', said_at: time}));
	const {found} = await readFiles(t, {'talk.jsonl': rows.join('\n')});
	t.deepEqual(found[0], text('Hello.', 'user', null, '0001-01-01T00:00:00Z'));
	t.deepEqual(found.slice(1).map(entry => 'line' in entry && entry.line), [2, 3, 4]);
});

test('UTF-16 with a byte order mark is read in every format, and other encodings than Unicode are rejected', async t => {
	const rows = 'said_at;author;text\r\n2026-01-01T10:00:00Z;Zoë;Grüße\r\n';
	const list = JSON.stringify([{role: 'user', content: 'Grüße', created_at: '2026-01-01T10:00:00Z'}]);
	const texts = {'talk.csv': rows, 'talk.jsonl': lines(JSON.parse(list)[0]), 'talk.json': list, '2026-01-01.log': '[10:00] <Zoë> Grüße\n'};
	for (const [name, content] of Object.entries(texts)) {
		const utf16 = Buffer.from(`\uFEFF${content}`, 'utf16le');
		for (const bytes of [utf16, Buffer.from(utf16).swap16()]) {
			const {found} = await readFiles(t, {[name]: bytes});
			t.like(found, [{content: 'Grüße', saidAt: Date.parse('2026-01-01T10:00:00Z')}], name);
		}

		const latin1 = readFiles(t, {[name]: Buffer.from(content, 'latin1')});
		if (name === 'talk.json') {
			await t.throwsAsync(latin1, {message: /it is not in UTF-8: convert the file, for example with “iconv -f WINDOWS-1252 -t UTF-8”/});
		} else {
			t.like((await latin1).found, [{reason: 'it is not in UTF-8: convert the file, for example with “iconv -f WINDOWS-1252 -t UTF-8”'}]);
		}
	}

	const ascii = 'said_at;author;text\n2026-01-01T10:00:00Z;Ada;Hello\n';
	const {found} = await readFiles(t, {'talk.csv': Buffer.from(`${ascii}2026-01-01T10:00:00Z;Zoë;Grüße\n`, 'latin1')});
	t.deepEqual([found[0], found[1] && 'line' in found[1] && found[1].line], [text('Hello', 'Ada', null, '2026-01-01T10:00:00Z'), 3]);
	t.like((await readFiles(t, {'2026-01-01.log': '\uFEFF[10:00] <ada> first\n'})).found, [{content: 'first'}]);
});

test('a speaker or conversation that is no name is rejected, because all would be the same', async t => {
	const {found} = await readFiles(t, {'talk.jsonl': lines(
		{content: 'Hello.', author: {id: 1, name: 'Ada'}}, {content: 'Hello.', author: 'Ada', channel: ['a']},
		{content: 'Hello.', author: 'Ada'},
	)});
	t.deepEqual(found, [
		{line: 1, reason: 'its source is not a name, but an object or a list: write the name alone'},
		{line: 2, reason: 'its conversation is not a name, but an object or a list: write the name alone'},
		text('Hello.', 'Ada', null, null),
	]);
});

test('the reason for a line without a text names its columns', async t => {
	const {found} = await readFiles(t, {'talk.csv': 'speaker;what\nBen;Hello.\n'});
	t.deepEqual(found, [
		{line: 2, reason: 'it has no text, only “speaker”, “what”: name the field or column of the text content, text, message, body'},
	]);
});

test('exports of mem0 and Letta give memories, messages and the persona', async t => {
	const example = async (name: string) => readFile(path.join(root, 'examples/migrate', name), 'utf8');
	const mem0 = await readFiles(t, {'mem0.json': await example('mem0.json')});
	t.is(mem0.format, 'mem0 memories');
	const page = {count: 1, next: null, results: [{id: 'a', memory: 'Hanne builds boats.', created_at: '2026-03-02T08:00:00Z'}]};
	t.deepEqual((await readFiles(t, {'mem0.json': JSON.stringify(page)})).found,
		[text('Hanne builds boats.', 'self', null, '2026-03-02T08:00:00Z')]);
	t.deepEqual(mem0.found[0], {...text('Hanne builds and repairs wooden boats', 'self', null, null),
		saidAt: Date.parse('2026-03-02T08:14:31.204117-08:00')});
	const letta = await readFiles(t, {'letta.af': await example('letta.af')});
	t.is(letta.format, 'Letta agent files');
	t.truthy(letta.found.some(found => 'persona' in found));
	t.deepEqual(new Set(letta.found.flatMap(found => 'source' in found && found.conversation === 'Maren' ? [found.source] : [])),
		new Set(['user', 'self']));
});

test('a pipe or device in place of a file is refused by its name', async t => {
	await t.throwsAsync(readFolder('/dev/null'), {name: 'ConfigurationError', message: /^\/dev\/null is neither a file nor a folder\./});
});

test('a file in an unknown format has none, and an incomplete JSON document is an error', async t => {
	t.is((await readFiles(t, {'notes.txt': 'Buy bread.\nAnd salt.\n'})).format, null);
	const whole = JSON.stringify([{role: 'user', content: 'Hello.'}, {role: 'user', content: 'Again.'}]);
	await t.throwsAsync(readFiles(t, {'talk.json': whole.slice(0, -12)}), {name: 'ConfigurationError', message: /not a complete JSON/});
});
