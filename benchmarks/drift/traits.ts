/**
 * People of a trait: files of statements `{statement, has_trait}`, one per line, as in https://github.com/anthropics/evals
 * (Perez et al. 2022, CC BY 4.0). Six people of three traits each talk; an influence says what a person of another trait would say.
 */
import {readdirSync, readFileSync} from 'node:fs';
import path from 'node:path';
import type {Random} from '../../src/platform/clock.ts';
import {collectSentences} from './collect.ts';
import {pick} from './pick.ts';
import type {Pool} from './sentences.ts';
import {drawWithout, startVisits, type Scenario, type Speech} from './streams.ts';
import type {World} from './worlds.ts';

/** What people of each trait say. @param place of a sentence */
export const traitPools = (folder: string, place: (sentence: string) => number): Map<string, Pool> =>
	new Map(readdirSync(path.join(folder, 'persona')).toSorted().map(file => {
		const said = readFileSync(path.join(folder, 'persona', file), 'utf8').trim().split('\n')
			.map(line => JSON.parse(line) as {statement: string; has_trait: boolean})
			.filter(({has_trait: hasTrait}) => hasTrait);
		return [path.parse(file).name, said.map(({statement}) => place(statement))];
	}));

/** Speakers with a few pools each; an influence has a pool that none of them has. */
export const startSpeakers = (random: Random, owned: ReadonlyMap<string, readonly Pool[]>, theme: Pool): Speech => {
	const draw = drawWithout(random);
	return {
		sources: [...owned.keys()],
		begin(source) {
			const pool = pick(random, owned.get(source)!);
			return {say: (_, themeShare = 0) => draw(random() < themeShare ? theme : pool), reply: () => draw(pool)};
		},
		influence: (_, length) => Array.from({length}, () => draw(theme)),
	};
};

/** Deals pools to people, the same number to each; the rest is left for an influence. */
export const dealPools = (random: Random, people: readonly string[], pools: readonly Pool[], each: number): {owned: Map<string, Pool[]>; rest: Pool[]} => {
	const draw = drawWithout(random);
	const places: Pool = [...pools.keys()];
	const owned = new Map(people.map(name => [name, Array.from({length: each}, () => pools[draw(places)]!)]));
	return {owned, rest: Array.from({length: pools.length - people.length * each}, () => pools[draw(places)]!)};
};

const people = ['ada', 'bruno', 'chen', 'dina', 'emil', 'fay'];

/** @param folder with `persona` */
export const readTraits = (folder: string): World => {
	const {place, sentences} = collectSentences();
	const pools = [...traitPools(folder, place).values()];
	const start = (share: number) => (random: Random) => {
		const {owned, rest} = dealPools(random, people, pools, 3);
		return startVisits(random, startSpeakers(random, owned, rest[0]!), {influence: {culprit: 'mallory', says: 'theme', share: () => share}});
	};

	const scenarios: Scenario[] = [
		{name: 'six people of three traits', start: start(0)},
		...[5, 10, 20, 40].map(percent => ({name: `another trait, ${percent} %`, culprit: 'mallory', start: start(percent / 100)})),
	];
	return {sentences: sentences(), scenarios};
};
