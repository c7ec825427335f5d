/**
 * The translation machine: one request to put the state into words, cancelled when its caller
 * goes away. Its ends are no final states, for the reason that `cycle.ts` gives.
 */
import {assign, fromPromise, sendParent, setup} from 'xstate';
import type {Translator} from '../language/translator.ts';
import type {Profile} from '../semiosis/profile.ts';
import {Handle} from './handle.ts';
import type {Translation} from './views.ts';

export type TranslationInput = {
	id: string;
	context: string | null;
	/** The projections of the state as it was when the translation was asked for. */
	profile: Handle<Profile>;
	translator: Handle<Translator>;
};

/** What a translation tells its parent at its end. */
export type TranslationReport =
	| {type: 'translation.done'; id: string; translation: Translation}
	| {type: 'translation.failed'; id: string; error: unknown};

const translate = fromPromise<Translation, TranslationInput>(async ({input: {context, profile, translator}, signal}) => {
	const {text, reasoningDetected} = await translator.value.translate({profile: profile.value, context}, signal);
	return {text, reasoningDetected, projections: flatten(profile.value)};
});

const flatten = (profile: Profile): Record<string, number> => Object.fromEntries(
	Object.entries(profile).flatMap(([category, entries]) =>
		Object.entries(entries).map(([name, {value}]): [string, number] => [`${category}.${name}`, value])),
);

export const translationMachine = setup({
	types: {
		context: {} as TranslationInput & {translation: Translation | null; error: unknown},
		input: {} as TranslationInput,
	},
	actors: {translate},
	actions: {
		reportDone: sendParent(({context: {id, translation}}): TranslationReport =>
			({type: 'translation.done', id, translation: translation!})),
		reportFailed: sendParent(({context: {id, error}}): TranslationReport =>
			({type: 'translation.failed', id, error})),
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
