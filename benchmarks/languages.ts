/**
 * How much English chat is mistaken for another language, and how much of other languages is recognised: `npm run bench:languages --
 * FOLDER`. FOLDER has `irc`, the days of a channel, with a line `[HH:MM] <nick> text` for each text; the first 6,000 lines are read. The
 * questions of the Big Five in 39 languages are a development dependency. The language is that of the cycle's event: the one that the
 * encoder reports, else the one that is recognised.
 *
 * Not measured: texts of two languages, and other encoders than the bundled one.
 */
import {existsSync, readdirSync, readFileSync} from 'node:fs';
import path from 'node:path';
import {embed} from '../src/actors/embed-text.ts';
import {loadEncoder} from '../src/embedding/load-encoder.ts';
import {isForeign, recogniseLanguage} from '../src/embedding/recognise-language.ts';
import {markdown} from './report.ts';

const [folder = ''] = process.argv.slice(2);
const maxLines = 6000;
const questions = path.join(import.meta.dirname, '../node_modules/@bigfive-org/questions/data');
const encoder = await loadEncoder();
const read = encoder.languages!;

/** Whether each text counts as another language: by the cycle, and by its letters alone. */
const foreignOf = async (texts: readonly string[]): Promise<boolean[][]> => Promise.all(texts.map(async text => {
	const {report: {language}} = await embed(text, encoder);
	return [language, await recogniseLanguage(text, read)].map(found => typeof found === 'string' && isForeign(found, read));
}));

/** In how many looks, after every 20 texts, more than a tenth of the last 100 texts are foreign. */
const countLooks = (foreign: readonly boolean[]): number => {
	const count = Math.max(0, Math.floor((foreign.length - 100) / 20) + 1);
	const looks = Array.from({length: count}, (_, k) => foreign.slice(20 * k, 20 * k + 100));
	return looks.filter(look => look.filter(Boolean).length > 10).length;
};

const share = (foreign: readonly boolean[]): string => `${(100 * foreign.filter(Boolean).length / foreign.length).toFixed(1)} %`;

const rows: string[][] = [];
const report = async (what: string, texts: readonly string[], isTalk: boolean): Promise<void> => {
	const foreign = await foreignOf(texts);
	const ways = [0, 1].map(which => foreign.map(each => each[which]!));
	rows.push([what, String(texts.length), ...ways.map(share), ...ways.map(each => isTalk ? String(countLooks(each)) : '')]);
};

if (existsSync(path.join(folder, 'irc'))) {
	const lines = readdirSync(path.join(folder, 'irc')).toSorted().flatMap(file =>
		[...readFileSync(path.join(folder, 'irc', file), 'utf8').matchAll(/^\[\d\d:\d\d\] <[^>]+> (\S.*)$/gmu)].map(([, text]) => text!));
	await report('an English channel', lines.slice(0, maxLines), true);
}

const texts = Object.fromEntries(readdirSync(questions, {withFileTypes: true}).filter(entry => entry.isDirectory()).map(({name}) =>
	[name, (JSON.parse(readFileSync(path.join(questions, name, 'questions.json'), 'utf8')) as Array<{text: string}>).map(({text}) => text)]));
const {en, ...others} = texts;
await report('questions in English', en!, false);
await report(`questions in ${Object.keys(others).length} other languages`, Object.values(others).flat(), false);
await encoder.dispose?.();

console.log(markdown([['texts', 'number', 'foreign', 'by letters alone', 'looks with more than a tenth', 'by letters alone'], ...rows]));
