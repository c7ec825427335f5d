/** A translation: the state in words, and how faithful they are. */
import {fromCallback, type EventObject} from 'xstate';
import {deepFreeze} from '../platform/immutable.ts';
import type {Encoder} from '../embedding/encoder.ts';
import type {TranslateResponse} from '../generated/types.ts';
import {LanguageError, wrapError} from '../platform/errors.ts';
import type {Translator} from '../language/translator.ts';
import {selectStandOut} from '../instruments/scaled-profile.ts';
import {measureFaithfulness} from '../semiosis/faithfulness.ts';
import {keyOf, projectProfile, type Direction, type Profile} from '../semiosis/profile.ts';
import type {StateTensor} from '../kernel/state-tensor.ts';
import type {BootResult} from './boot-steps.ts';
import type {MachineDeps} from './deps.ts';

/** The parts that make a translation and measure its faithfulness. */
export type TranslationDeps = Pick<MachineDeps, 'kernel'> & {translator: Translator; encoder: Encoder};

export type TranslationInput = {
	id: string;
	context: string | null;
	/** The state at the time of the request. */
	state: StateTensor;
	basis: Pick<BootResult, 'directions' | 'initial' | 'isRandom'>;
};

/** The state in words. */
export type Translation = TranslateResponse;

/** The result that a translation sends to its parent. */
export type TranslationReport =
	| {type: 'translation.done'; id: string; translation: Translation}
	| {type: 'translation.failed'; id: string; error: unknown};

const translate = async (
	{context, state, basis: {directions, initial, isRandom}}: TranslationInput, deps: TranslationDeps, signal: AbortSignal,
): Promise<Translation> => {
	const profile = projectProfile(deps.kernel, state.rows, directions);
	const scaled = {
		begunAtRandom: isRandom,
		standOut: selectStandOut(deps.kernel, state.rows, directions, isRandom ? initial.rows : null),
	};
	const {text, reasoningDetected} = await deps.translator.translate({profile, context, scaled}, signal).catch((error: unknown) => {
		throw wrapError(error, LanguageError, 'The translator failed', signal);
	});
	return deepFreeze({
		text, reasoningDetected, projections: flatten(profile), faithfulness: await measure(text, profile, directions, deps, signal),
	});
};

/** Measures the faithfulness of a translation; null if that fails, since the text is still a translation. */
const measure = async (
	text: string, profile: Profile, directions: readonly Direction[], {encoder, kernel}: TranslationDeps, signal: AbortSignal,
): Promise<number | null> => {
	try {
		return measureFaithfulness(kernel, profile, await encoder.embed(text, signal), directions);
	} catch {
		return null;
	}
};

const flatten = (profile: Profile): Record<string, number> => Object.fromEntries(
	Object.entries(profile).flatMap(([category, entries]) =>
		Object.entries(entries).map(([name, {value}]): [string, number] => [keyOf({category, name}), value])),
);

/** Puts the state into words once, and sends its parent a {@link TranslationReport}. It is stopped when its caller goes away. */
export const createTranslationLogic = (deps: TranslationDeps) => fromCallback<EventObject, TranslationInput>(({input, sendBack}) => {
	const {id} = input;
	const end = new AbortController();
	let isOver = false;
	const report = (ended: TranslationReport) => {
		isOver = true;
		sendBack(Object.freeze(ended));
	};

	translate(input, deps, end.signal).then(
		translation => report({type: 'translation.done', id, translation}),
		(error: unknown) => report({type: 'translation.failed', id, error}),
	);
	// The process stops a translation that is over, too. A signal that aborts then would say that it was cancelled.
	return () => isOver || end.abort();
});
