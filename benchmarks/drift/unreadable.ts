/** Texts that a model of English sentences reads badly, as people send them: JSON, links, code, German, and single words. */
import type {Random} from '../../src/platform/clock.ts';
import {pick} from './pick.ts';

const number = (random: Random): number => Math.floor(100_000 * random());

const kinds: ReadonlyArray<(random: Random) => string> = [
	random => JSON.stringify({id: number(random), tide_m: number(random) / 1e4, ok: random() < 0.5, tags: ['hbr', `x${number(random)}`]}),
	random => `https://cdn${number(random)}.example.net/a/${number(random)}/img_${number(random)}.webp?w=640&sig=${number(random).toString(36)}`,
	random => `const q${number(random)} = xs.filter(x => x.t > ${number(random)}).map(({k, v}) => [k, v * ${number(random)}]);`,
	random => `${pick(random, ['Die Fähre', 'Der Müller', 'Unsere Nachbarin', 'Das Fischerboot'])} ${pick(random, ['kommt', 'fährt', 'wartet', 'schläft'])} `
		+ `${pick(random, ['heute wieder', 'seit gestern', 'übermorgen erst', 'vermutlich'])} ${pick(random, ['nicht', 'später', 'früher', 'zuverlässig'])} `
		+ `${pick(random, ['am Hafen', 'zwischen den Häusern', 'beim Leuchtturm', 'über den Kanal'])}.`,
	random => `${pick(random, ['ok', 'yes', 'no', 'hm', 'lol', 'thx', 'sure', 'done', 'nope', 'k'])}${pick(random, ['', '.', '!', ' :)', '…', '?'])}`,
];

export const writeUnreadable = (random: Random): string => pick(random, kinds)(random);
