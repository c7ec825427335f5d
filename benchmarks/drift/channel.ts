/**
 * A channel's days: files with a line `[HH:MM] <nick> text` for each text, as in
 * https://github.com/jkkummerfeld/irc-disentanglement (CC BY 4.0). A history has blocks of 100 lines, in random order; an
 * influence replaces groups of four lines by a theme.
 */
import {existsSync, readdirSync, readFileSync} from 'node:fs';
import path from 'node:path';
import type {Random} from '../../src/platform/clock.ts';
import {collectSentences} from './collect.ts';
import {pick} from './pick.ts';
import type {Pool} from './sentences.ts';
import {drawWithout, type Scenario, type Stream} from './streams.ts';
import {traitPools} from './traits.ts';
import type {World} from './worlds.ts';

type Line = {readonly source: string; readonly sentence: number};

const blockLength = 100;
const groupLength = 4;
const second = 1000;

const startChannel = (random: Random, blocks: ReadonlyArray<readonly Line[]>, {hasPauses, theme = [], share = 0}: {hasPauses: boolean; theme?: Pool; share?: number}): Stream => {
	const draw = drawWithout(random);
	const order = [...blocks.keys()];
	let time = Date.UTC(2026, 2, 1);
	let rest: readonly Line[] = [];
	return progress => {
		if (rest.length === 0) {
			rest = blocks[draw(order)]!;
			time += hasPauses ? 3_600_000 : 0;
		}

		const isInfluenced = progress !== null && random() < share;
		const lines = rest.slice(0, groupLength);
		rest = rest.slice(groupLength);
		return lines.map(({source, sentence}) => {
			time += 20 * second;
			return {source: isInfluenced ? 'mallory' : source, time, conversation: null, isOwn: false, sentence: isInfluenced ? draw(theme) : sentence};
		});
	};
};

/** @param folder with `irc`; with `persona` there are influences too */
export const readChannel = (folder: string): World => {
	const {place, sentences} = collectSentences();
	const blocks = readdirSync(path.join(folder, 'irc')).toSorted().flatMap(file => {
		const lines = [...readFileSync(path.join(folder, 'irc', file), 'utf8').matchAll(/^\[\d\d:\d\d\] <([^>]+)> (\S.*)$/gmu)]
			.map(([, source, text]): Line => ({source: source!, sentence: place(text!)}));
		return Array.from({length: Math.floor(lines.length / blockLength)}, (_, i) => lines.slice(i * blockLength, (i + 1) * blockLength));
	});
	const themes = existsSync(path.join(folder, 'persona')) ? [...traitPools(folder, place).values()] : [];
	const scenarios: Scenario[] = [
		{name: 'a channel, pauses after 100 lines', start: random => startChannel(random, blocks, {hasPauses: true})},
		{name: 'a channel without pauses', start: random => startChannel(random, blocks, {hasPauses: false})},
		...[5, 10, 20, 40].filter(() => themes.length > 0).map((percent): Scenario => ({
			name: `a channel, a trait in ${percent} %`,
			culprit: 'mallory',
			start: random => startChannel(random, blocks, {hasPauses: true, theme: pick(random, themes), share: percent / 100}),
		})),
	];
	return {sentences: sentences(), scenarios};
};
