/** Questions to an identity's past: each asks an instrument and returns its answer as a view. */
import type {NearText} from '../generated/types.ts';
import {resultOf} from '../actors/cycle.ts';
import {embed, corroborate} from '../actors/embed-text.ts';
import {holdNamed} from '../actors/quarantine.ts';
import type {TokenReport} from '../embedding/encoder.ts';
import {nameMoment, timestampOf} from '../platform/clock.ts';
import {deepFreeze} from '../platform/immutable.ts';
import {InputError} from '../platform/errors.ts';
import {phrase} from '../platform/phrase.ts';
import {runDry} from '../instruments/dry-run.ts';
import {compareStates, describeChanges} from '../instruments/compare.ts';
import {turnMrad} from '../kernel/dot.ts';
import {describeInForce} from '../instruments/describe-revision.ts';
import {joinNotes} from '../instruments/describe-ledger.ts';
import {describeUnsaid, requireList, toChoice} from '../instruments/text-choice.ts';
import type {TextChoice} from '../journal/revision.ts';
import {pastStateAt} from '../instruments/past/find-moment.ts';
import type {EmbeddedText} from '../semiosis/run-cycle.ts';
import {indexOf} from '../kernel/dimensions.ts';
import {requireKnownNames, type Names} from '../platform/unknown-names.ts';
import type {CheckedRequest} from './cycle-request.ts';
import type {IdentityParts} from './local-identity.ts';
import type {DryRunView, WhatIfRequest, WhatIfView} from './views.ts';

/** Prepares a text as a cycle would. The default signal is created in the call, since workerd creates none outside a request. */
const read = async (
	content: string, {machine: {encoder, corroborate: ask}}: IdentityParts, signal = new AbortController().signal,
): Promise<{text: EmbeddedText; report: TokenReport}> => {
	const {vector, report} = await embed(content, encoder, signal, {isQuestion: true});
	return {text: {vector, corroborating: ask && await corroborate(ask, vector, signal)}, report};
};

/** Runs the cycle of a text on the published state, and drops the result. */
export const dryRun = async (
	{content, trigger, metadata, id}: CheckedRequest, parts: IdentityParts, signal?: AbortSignal,
): Promise<DryRunView> => {
	const {machine: {kernel, time}, recentTexts, getContext} = parts;
	const begun = time.elapsed();
	const {text, report: {tokens, isTruncated, unknownShare}} = await read(content, parts, signal);
	await recentTexts?.refresh();
	signal?.throwIfAborted();
	const {state, vigilance, quarantine, boot: {authority, reference, directions}} = getContext();
	const {step, ...result} = runDry({kernel, authority, reference}, {state, vigilance}, text, timestampOf(time), directions);
	const {state: {stateId}, measures} = step;
	const held = holdNamed({id: id ?? '', trigger, metadata, isHashed: false}, quarantine);
	return deepFreeze({
		...resultOf({...measures, stateId}, time.elapsed() - begun),
		...(held !== null && {held}),
		...(tokens !== undefined && {tokens}),
		...(isTruncated !== undefined && {truncated: isTruncated}),
		...(unknownShare !== undefined && {unknownShare}),
		dissonancePercentile: recentTexts?.percentileOf(measures.total) ?? null,
		...result,
		byMethod: measures.contributions,
		nearest: recentTexts?.nearest(text.vector) ?? [] as NearText[],
	});
};

export const choiceNames: Names<TextChoice> = {sources: true, conversations: true, triggers: true, ids: true};

/** Compares the present self with one that lacks some texts or has others. */
export const askWhatIf = async (request: WhatIfRequest, parts: IdentityParts, signal?: AbortSignal): Promise<WhatIfView> => {
	requireKnownNames('What is left out', request.without, choiceNames, {kind: 'field', Failure: InputError});
	const {from, without = {}, add = []} = request;
	const {machine: {kernel, time}, past, getContext} = parts;
	const texts = await Array.fromAsync(requireList('add', add), async content => (await read(content, parts, signal)).text);
	const ordinary = await past.validation(signal);
	const {
		answer: {present, other, cycles, leftOut, p, compacted, resetAt, unsaid}, from: place,
	} = await past.ask('whatIf', {without: toChoice(without), add: texts, timestamp: timestampOf(time), ordinary}, {from}, {signal});
	const {revision, boot: {directions}} = getContext();
	const inForce = describeInForce(revision);
	const {state} = place;
	if (unsaid) {
		throw new InputError([describeUnsaid(unsaid, `since state ${state.stateId}`), inForce ?? ''].join(' ').trim());
	}

	const {rows} = state;
	const [now, otherwise] = [present, other].map(row => rows.with(indexOf('thirdness'), row));
	const changes = compareStates(kernel, now!, otherwise!, directions);
	return deepFreeze({
		from: pastStateAt(state, place),
		cycles,
		leftOut,
		added: add.length,
		angleMrad: turnMrad(present, other),
		directions: changes.map(({from: value, to, change, zChange, ...direction}) => ({
			...direction, present: value, other: to, difference: change, zDifference: zChange,
		})),
		words: [describeChanges(changes, true)],
		p,
		note: joinNotes(
			compacted && phrase`Records up to state ${compacted.stateId} are compacted: both selves begin there,
				on ${nameMoment(compacted.timestamp)}.`,
			resetAt && phrase`The identity was reset on ${nameMoment(resetAt)}: both selves begin again there, and what was
				said before moves neither.`,
			inForce,
		),
	});
};
