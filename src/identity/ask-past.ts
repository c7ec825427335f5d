/** Questions to the past of an identity: each asks an instrument, and gives its answer as a view. */
import type {NearText} from '../generated/types.ts';
import {embed, corroborate} from '../actors/embed-text.ts';
import type {MachineDeps} from '../actors/deps.ts';
import type {Encoder} from '../embedding/encoder.ts';
import {timestampOf} from '../platform/clock.ts';
import {deepFreeze} from '../platform/immutable.ts';
import {InputError} from '../platform/errors.ts';
import {phrase} from '../platform/phrase.ts';
import {runDry} from '../instruments/dry-run.ts';
import {compareStates, describeChanges} from '../instruments/compare.ts';
import {turnMrad} from '../kernel/dot.ts';
import {describeUnsaid, toChoice} from '../instruments/text-choice.ts';
import type {TextChoice} from '../journal/revision.ts';
import {toPastState} from '../instruments/stretch.ts';
import type {RecentTexts} from '../instruments/past/recent-texts.ts';
import type {Past} from '../instruments/past/past.ts';
import type {Origins} from '../instruments/past/stretches.ts';
import type {Direction} from '../semiosis/profile.ts';
import type {EmbeddedText, WorkingState} from '../semiosis/run-cycle.ts';
import {indexOf} from '../kernel/dimensions.ts';
import {requireKnownNames, type Names} from '../platform/unknown-names.ts';
import type {CycleRequest, DryRunView, WhatIfRequest, WhatIfView} from './views.ts';

export type PastDeps = Pick<MachineDeps, 'kernel' | 'time' | 'corroborate'> & {
	encoder: Encoder;
	past: Past;
	/** Null without a journal. */
	recentTexts: RecentTexts | null;
	/** @throws {UnavailableError} before and after the process is ready */
	getPresent: () => WorkingState & Origins & {readonly directions: readonly Direction[]};
};

/** A text as a cycle would take it. The default signal is made here, since workerd makes none before a request. */
const read = async (
	content: string, {encoder, corroborate: ask}: PastDeps, signal = new AbortController().signal,
): Promise<EmbeddedText> => {
	const {vector} = await embed(content, encoder, signal, {isQuestion: true});
	return {vector, corroborating: ask && await corroborate(ask, vector, signal)};
};

/** Runs the cycle of a text on the published state, and drops the result. */
export const dryRun = async ({content}: Pick<CycleRequest, 'content'>, deps: PastDeps, signal?: AbortSignal): Promise<DryRunView> => {
	const {kernel, time, recentTexts, getPresent} = deps;
	const begun = time.elapsed();
	const text = await read(content, deps, signal);
	await recentTexts?.refresh();
	signal?.throwIfAborted();
	const {state, vigilance, authority, reference, initial, directions} = getPresent();
	const {step, ...result} = runDry({kernel, authority, reference, initial}, {state, vigilance}, text, timestampOf(time), directions);
	const {measures, affected} = step;
	return deepFreeze({
		stateId: step.state.stateId,
		deltaMagnitude: measures.deltaMagnitude,
		dissonanceTotal: measures.total,
		isChoc: measures.choc,
		dimensionsAffected: affected,
		processingTimeMs: time.elapsed() - begun,
		dissonancePercentile: recentTexts?.percentileOf(measures.total) ?? null,
		...result,
		byMethod: measures.contributions,
		nearest: recentTexts?.nearest(text.vector) ?? [] as NearText[],
	});
};

export const choiceNames: Names<TextChoice> = {sources: true, conversations: true, triggers: true, ids: true};

/** The other self: without some texts, with others. */
export const askWhatIf = async (request: WhatIfRequest, deps: PastDeps, signal?: AbortSignal): Promise<WhatIfView> => {
	requireKnownNames('What is left out', request.without, choiceNames, {kind: 'field', Failure: InputError});
	const {from, without = {}, add = []} = request;
	const {kernel, time, past, getPresent} = deps;
	const texts = [];
	for (const content of add) {
		texts.push(await read(content, deps, signal));
	}

	const ordinary = await past.validation(signal);
	const {
		answer: {present, other, cycles, leftOut, p, compacted, unsaid}, from: {state},
	} = await past.ask('whatIf', {without: toChoice(without), add: texts, timestamp: timestampOf(time), ordinary}, {from}, {signal});
	if (unsaid) {
		throw new InputError(describeUnsaid(unsaid, `since state ${state.stateId}`));
	}

	const {rows} = state;
	const [now, otherwise] = [present, other].map(row => rows.with(indexOf('thirdness'), row));
	const changes = compareStates(kernel, now!, otherwise!, getPresent().directions);
	return deepFreeze({
		from: toPastState(state),
		cycles,
		leftOut,
		added: add.length,
		angleMrad: turnMrad(present, other),
		directions: changes.map(({from: value, to, change, zChange, ...direction}) => ({
			...direction, present: value, other: to, difference: change, zDifference: zChange,
		})),
		words: [describeChanges(changes, true)],
		p,
		note: compacted && phrase`Records up to state ${compacted.stateId} are compacted: both selves begin there, at ${compacted.timestamp}.`,
	});
};
