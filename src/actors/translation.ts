/**
 * The translation machine: one request to put the state into words, cancelled when its caller
 * goes away. Its ends are no final states, for the reason that `cycle.ts` gives.
 */
import {assign, fromPromise, sendParent, setup} from 'xstate';
import {deepFreeze} from '../deep-freeze.ts';
import type {Encoder} from '../embedding/encoder.ts';
import type {Kernel} from '../kernel/kernel.ts';
import type {Translator} from '../language/translator.ts';
import {measureFaithfulness} from '../semiosis/faithfulness.ts';
import type {Direction, Profile} from '../semiosis/profile.ts';
import {Handle} from './handle.ts';
import type {Translation} from './views.ts';

/** What a translation is created with. */
export type TranslationInput = {
	id: string;
	context: string | null;
	/** The projections of the state as it was when the translation was asked for. */
	profile: Handle<Profile>;
	means: Handle<TranslationMeans>;
};

/** What a translation is made with, and what its faithfulness is measured with. */
export type TranslationMeans = {translator: Translator; encoder: Encoder; kernel: Kernel; directions: readonly Direction[]};

/** What a translation tells its parent at its end. */
export type TranslationReport =
	| {type: 'translation.done'; id: string; translation: Translation}
	| {type: 'translation.failed'; id: string; error: unknown};

const translate = fromPromise<Translation, TranslationInput>(async ({input: {context, profile: {value: profile}, means: {value: means}}, signal}) => {
	const {text, reasoningDetected} = await means.translator.translate({profile, context}, signal);
	return deepFreeze({text, reasoningDetected, projections: flatten(profile), faithfulness: await measure(text, profile, means, signal)});
});

/** A text that cannot be measured is still a translation. */
const measure = async (text: string, profile: Profile, {encoder, kernel, directions}: TranslationMeans, signal: AbortSignal): Promise<number | null> => {
	try {
		return measureFaithfulness(kernel, profile, await encoder.embed(text, signal), directions);
	} catch {
		return null;
	}
};

const flatten = (profile: Profile): Record<string, number> => Object.fromEntries(
	Object.entries(profile).flatMap(([category, entries]) =>
		Object.entries(entries).map(([name, {value}]): [string, number] => [`${category}.${name}`, value])),
);

/** Puts the state into words once; tells its parent a {@link TranslationReport}. */
export const translationMachine = setup({
	types: {
		context: {} as TranslationInput & {translation: Translation | null; error: unknown},
		input: {} as TranslationInput,
	},
	actors: {translate},
	actions: {
		reportDone: sendParent(({context: {id, translation}}): TranslationReport =>
			Object.freeze({type: 'translation.done', id, translation: translation!})),
		reportFailed: sendParent(({context: {id, error}}): TranslationReport =>
			Object.freeze({type: 'translation.failed', id, error})),
	},
}).createMachine({
	id: 'translation',
	context: ({input}) => ({...input, translation: null, error: null}),
	initial: 'translating',
	states: {
		translating: {
			invoke: {
				src: 'translate',
				input: ({context}) => context,
				onDone: {target: 'done', actions: assign({translation: ({event}) => event.output})},
				onError: {target: 'failed', actions: assign({error: ({event}) => event.error})},
			},
		},
		done: {entry: 'reportDone'},
		failed: {entry: 'reportFailed'},
	},
});
