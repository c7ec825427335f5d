/** Quotes, as Debian's package `fortunes` installs them: files of texts between lines of `%`. Six people quote from different files. */
import {existsSync, readdirSync, readFileSync} from 'node:fs';
import path from 'node:path';
import type {Random} from '../../src/platform/clock.ts';
import {collectSentences} from './collect.ts';
import {startVisits, type Influence, type Scenario} from './streams.ts';
import {dealPools, startSpeakers} from './traits.ts';
import type {World} from './worlds.ts';

/** Debian's folder. */
export const quotesFolder = '/usr/share/games/fortunes';

/** A file with fewer quotes is left out. */
const minQuotes = 100;

/** A longer quote is left out: the encoder would cut it. */
const maxLength = 400;

const people = ['ada', 'bruno', 'chen', 'dina', 'emil', 'fay'];

export const readQuotes = (folder: string): World => {
	const {place, sentences} = collectSentences();
	const pools = readdirSync(folder).toSorted()
		.filter(file => existsSync(path.join(folder, `${file}.dat`)))
		.map(file => readFileSync(path.join(folder, file), 'utf8').split(/^%$/mu).map(quote => quote.replaceAll(/\s+/gu, ' ').trim())
			.filter(({length}) => length > 0 && length <= maxLength).map(place))
		.filter(({length}) => length >= minQuotes);
	const start = (influence?: Influence) => (random: Random) => {
		const {owned, rest} = dealPools(random, people, pools, 2);
		return startVisits(random, startSpeakers(random, owned, rest[0]!), influence ? {influence} : {});
	};

	const scenarios: Scenario[] = [
		{name: 'six people who quote', start: start()},
		...[30, 60].map(percent => ({
			name: `one of six turns to another file in ${percent} % of their quotes`, culprit: 'bruno', start: start({culprit: 'bruno', share: () => percent / 100}),
		})),
		...[10, 20, 40].map(percent => ({
			name: `a new one quotes another file, ${percent} %`, culprit: 'mallory', start: start({culprit: 'mallory', says: 'theme', share: () => percent / 100}),
		})),
	];
	return {sentences: sentences(), scenarios};
};
