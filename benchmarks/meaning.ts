/**
 * Whether the state follows the meaning of texts: with the bundled encoder, what is said often
 * becomes familiar, and one-sided texts move the profile towards their side.
 *
 * The start is a random state (seeded), so what counts is how figures change, not where they begin.
 * Not measured: other encoders, other languages than English.
 */
import {createIdentity} from '../src/identity/create-identity.ts';
import type {LocalIdentity} from '../src/identity/identity.ts';
import {loadEncoder} from '../src/embedding/load-encoder.ts';
import {loadThemes} from '../src/sources/themes.ts';
import {mulberry32} from '../test/actors/fixtures.ts';
import {dwellOn, sea} from '../test/helpers/one-subject.ts';

const startIdentity = async (): Promise<LocalIdentity> => {
	const identity = createIdentity({
		encoder: async () => loadEncoder(),
		themes: await loadThemes(),
		random: mulberry32(1),
	});
	await identity.ready();
	return identity;
};

const near = 'A sailor looks at the surf rolling onto the beach.';
const foreign = 'The accountant filed the quarterly tax return.';

const listener = await startIdentity();
const dissonance = async (content: string) => (await listener.cycle({content})).dissonanceTotal;
const before = {near: await dissonance(near), foreign: await dissonance(foreign)};
await dwellOn(listener, sea, 400);
const after = {near: await dissonance(near), foreign: await dissonance(foreign)};
await listener.dispose();

console.log('| dissonance of | before | after 400 texts about the sea |\n|---|---|---|');
console.log(`| “${near}” | ${before.near.toFixed(3)} | ${after.near.toFixed(3)} |`);
console.log(`| “${foreign}” | ${before.foreign.toFixed(3)} | ${after.foreign.toFixed(3)} |`);

const sides = {
	analytic: [
		'She breaks the problem into parts and checks each step of the proof.',
		'He compares the figures in a table before he draws a conclusion.',
		'The engineer measures every variable and calculates the result.',
	],
	intuitive: [
		'She simply feels which answer is right and trusts her gut.',
		'He had a hunch about the stranger long before he knew why.',
		'The painter follows a sudden inspiration without thinking it through.',
	],
};

console.log('\n| cognitive.analysis (analytic ↔ intuitive) | before | after 300 texts |\n|---|---|---|');
for (const [side, sentences] of Object.entries(sides)) {
	const identity = await startIdentity();
	const value = () => identity.profile().profile['cognitive']!['analysis']!.value.toFixed(4);
	const start = value();
	await dwellOn(identity, sentences, 300);
	console.log(`| ${side} texts | ${start} | ${value()} |`);
	await identity.dispose();
}
