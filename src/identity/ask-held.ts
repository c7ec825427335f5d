/** The hold in force and the held texts, and the decision to release or drop them. */
import type {HeldRequest, HeldTexts, Settled, SettleRequest} from '../generated/types.ts';
import {chooseHeld, type SettlementRequest} from '../actors/settlement.ts';
import type {Quarantine} from '../actors/quarantine.ts';
import {compareStates, describeChanges} from '../instruments/compare.ts';
import {toBaselineText} from '../instruments/drift/baseline.ts';
import type {Past} from '../instruments/past/past.ts';
import {shownText} from '../instruments/run-ledger.ts';
import {conversationOf, maxSources, saidAtOf, sourceOf} from '../instruments/source-of.ts';
import {toChoice} from '../instruments/text-choice.ts';
import type {HeldEntry} from '../journal/journal.ts';
import type {BaselineText} from '../journal/validation.ts';
import {turnMrad} from '../kernel/dot.ts';
import {timestampOf} from '../platform/clock.ts';
import {InputError} from '../platform/errors.ts';
import {deepFreeze} from '../platform/immutable.ts';
import {checkLength} from './cycle-request.ts';
import type {IdentityParts} from './local-identity.ts';
import type {Watch} from './watch.ts';

/** A source's reading, its distance from ordinary talk, is taken over at most this many of its texts. */
const maxRead = 100;

/**
 * Reads the held texts.
 * @param watch Measures how far texts lie from ordinary talk. Right after a start, the answer waits for it.
 * @throws {NoJournalError} without a journal
 */
export const readQuarantine = async (
	past: Past, {hold}: Quarantine, {limit = 20}: HeldRequest, watch?: Pick<Watch, 'begun'>, signal?: AbortSignal,
): Promise<HeldTexts> => {
	const texts: HeldTexts['texts'][number][] = [];
	const sources = new Map<string, {texts: number; since: string; read: BaselineText[]}>();
	let waiting = 0;
	for await (const page of past.held()) {
		for (const {record} of page) {
			const source = sourceOf(record);
			const known = sources.get(source) ?? {texts: 0, since: saidAtOf(record), read: []};
			sources.set(source, {...known, texts: known.texts + 1});
			if (known.read.length < maxRead && (known.texts > 0 || sources.size <= maxSources)) {
				known.read.push(toBaselineText(record));
			}

			waiting++;
			if (texts.length < limit) {
				texts.push(toHeldText(record));
			}
		}
	}

	const watcher = waiting > 0 ? await watch?.begun(signal) : null;
	const most = [...sources].toSorted(([, one], [, other]) => other.texts - one.texts).slice(0, maxSources);
	return {
		hold: hold && {sources: [], conversations: [], ...hold}, waiting, texts,
		sources: most.map(([source, {read, ...counted}]) => (
			{source, ...counted, reading: watcher && read.length > 0 ? watcher.readTalk(read) : null}
		)),
	};
};

const toHeldText = (record: HeldEntry['record']): HeldTexts['texts'][number] => ({
	id: record.id, timestamp: saidAtOf(record), source: sourceOf(record), conversation: conversationOf(record),
	content: shownText(record), reason: record.reason, dissonance: record.total,
});

/** @throws {InputError} for a request that names no texts */
export const toSettlement = (kind: SettlementRequest['kind'], {note = '', by = '', ...choice}: SettleRequest): SettlementRequest => {
	const chosen = toChoice(choice);
	if (Object.keys(chosen).length === 0) {
		throw new InputError(`Say which texts to ${kind}: their sources, conversations or ids. “held” lists the texts that wait.`);
	}

	return {kind, choice: chosen, note: checkLength(note, `a ${kind}`), by: by || null};
};

/** What a release or a drop would do, for all the chosen texts together. @throws {InputError} for a name that no held text has */
export const drySettlement = async (
	{kind, choice, note, by}: SettlementRequest, {machine: {kernel, time}, past, getContext}: IdentityParts, signal?: AbortSignal,
): Promise<Settled> => {
	const {chosen, left} = await chooseHeld(past.held(), choice);
	const timestamp = timestampOf(time);
	const add = kind === 'drop' ? [] : chosen.map(({record: {vector, proposals}}) => ({vector, proposals}));
	const question = {without: {}, add, timestamp, ordinary: await past.validation(signal)};
	const {answer: {present, other, p}, to: {state}} = await past.ask('whatIf', question, {}, {signal});
	const changes = compareStates(
		kernel, state.rows, state.withThirdness(state.stateId + add.length, timestamp, other).rows, getContext().boot.directions,
	);
	return deepFreeze({
		id: null, timestamp, note, by, ids: chosen.map(({record}) => record.id), stateIdBefore: state.stateId,
		stateId: state.stateId + add.length, turnMrad: turnMrad(present, other), directions: changes,
		words: [describeChanges(changes, true)], p, left,
	});
};
