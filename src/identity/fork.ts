/** What a fork is made of: the parts of the identity that it branches off from, and a journal in memory. */
import type {BootResult} from '../actors/boot-steps.ts';
import type {MachineDeps} from '../actors/deps.ts';
import {createMemoryJournal} from '../journal/memory-journal.ts';
import type {Place} from '../instruments/past/find-moment.ts';
import type {IdentityOptions} from './options.ts';

/** The options of a fork at a place. Parts are lent: the fork disposes of none of them. */
export const forkOptions = (
	{encoder, translator, corroborate, kernel, time, random, newId, loop}: MachineDeps,
	{initial, reference, passport, authority, directions, themes, isRandom, hasTranslator}: BootResult,
	{state, cumulativeDrift}: Pick<Place, 'state' | 'cumulativeDrift'>,
): IdentityOptions => ({
	encoder,
	translator: hasTranslator ? {translate: async (request, signal) => translator.translate(request, signal)} : null,
	corroborate,
	kernel,
	time,
	random,
	newId,
	loop,
	authority,
	directions,
	themes,
	calibrate: false,
	journal: createMemoryJournal({
		genesis: {initial, reference, passport, isRandom},
		current: state,
		checkpoint: {counters: {}, lastTrigger: null, cumulativeDrift},
	}),
});
