/**
 * A forgetting is a kind of revision. In its turn it reads all records and computes the history without some texts. Its
 * record replaces the journal by one that never had them. Both passes run on this thread, page by page, and readers are
 * answered between the pages.
 */
import {
	describeForgetting, digestOfTombstones, findWaiting, leftOf, namesBeside, requireTexts, type LeftBaseline,
} from '../instruments/describe-forgetting.ts';
import {factsOfRevision, type ForgetDecision} from '../instruments/describe-revision.ts';
import {ForgettingRecords, followForgetting, stillExcluded, type ForgettingResult} from '../instruments/forgetting-records.ts';
import {sizeOf} from '../instruments/drift/baseline.ts';
import type {JournalEntry, RevisionRecord, Rewriting} from '../journal/journal.ts';
import type {Validation} from '../journal/validation.ts';
import {readHeld, readPages, withProgress, type PastJournal} from '../journal/read-pages.ts';
import {isRevision} from '../journal/revision.ts';
import type {StateTensor} from '../kernel/state-tensor.ts';
import {timestampOf} from '../platform/clock.ts';
import {JournalError} from '../platform/errors.ts';
import {startVigilance} from '../semiosis/vigilance.ts';
import type {JournalPort, MachineDeps} from './deps.ts';
import type {RevisionInput} from './revision.ts';
import {checkpointOf} from './tally.ts';
import type {ReplayProgress, Tell, TurnOutcome} from './turn-machine.ts';
import {askChance} from './validation.ts';

type ForgetDeps = Pick<MachineDeps, 'time' | 'kernel' | 'questions'> & {journal: JournalPort; tell: Tell};

export const forget = async (
	{order: {id}, decision, initial, reference, authority, directions, turn}: RevisionInput, {choice, ...callbacks}: ForgetDecision,
	deps: ForgetDeps, signal: AbortSignal,
): Promise<TurnOutcome> => {
	const {journal, time, kernel, tell} = deps;
	const begun = time.elapsed();
	// Records of earlier turns may still be on their way.
	await journal.flush();
	const [decisions, validation, to] = [await journal.decisions(), await journal.validation(), journal.records];
	const rules = {kernel, authority, initial, reference};
	const revisions = decisions.filter(isRevision);
	const beside = await namesBeside(choice, validation, revisions, readHeld(journal));
	const forgetting = {id, choice, beside, revisions, validated: validation?.seq ?? 0};
	const {records, ...running} = followForgetting({rules}, forgetting, callbacks.hear);
	const following = (step: ReplayProgress['step']) =>
		withProgress(journal, done => tell({type: 'replay.progress', id, step, records: done, of: to}));
	for await (const page of readPages(following('replaying'), 0, to, signal)) {
		running.take(page);
	}

	const result = running.answer();
	const {settled, compacted} = await findWaiting(choice, result, readHeld(journal), callbacks.hear);
	const left = validation && leftOf(validation, choice);
	requireTexts(result);
	const {state: before, tally, quarantine} = turn!;
	const after = initial.withThirdness(before.stateId + 1, timestampOf(time), result.thirdness);
	const forgotten = {texts: result.texts + compacted, digest: await digestOfTombstones(result.tombstones)};
	const gone = [...new Set([...result.tombstones.map(({seq}) => seq), ...settled])];
	await callbacks.prepare({id, timestamp: after.timestamp, ...forgotten, tombstones: result.tombstones, records: gone});
	const inForce = revisions.at(-1);
	const facts = factsOfRevision(decision, result, {before, after}, {
		id, to, exclusions: inForce ? stillExcluded(inForce, choice) : [], holds: inForce?.holds ?? null, earlier: inForce,
		forgotten,
	});
	const record: RevisionRecord = {
		kind: 'revision', id, timestamp: after.timestamp, stateId: after.stateId, thirdness: after.row('thirdness'),
		checkpoint: checkpointOf(tally, result.cumulativeDrift), facts,
	};
	const rest = {choice, waiting: compacted, tookSeconds: (time.elapsed() - begun) / 1000};
	const rewriting: Rewriting = {
		changes: () => changesOf(new ForgettingRecords(rules, forgetting), result, following('rewriting'), to),
		decisions: decisions.map(said => isRevision(said) ? records.saidBy(said) : said),
		validation: validation ? await validateAgain(validation, left!, result, initial, deps, signal) : undefined,
		settled,
		forgotten: gone,
		onDone: callbacks.onDone,
	};
	return {
		turn: {
			state: after, vigilance: startVigilance(kernel, after.rows, reference.rows, result.cumulativeDrift), tally,
			quarantine: {...quarantine, waiting: quarantine.waiting - settled.length},
		},
		record, rewriting, answer: describeForgetting(facts, result, left, {before, after, directions, kernel}, rest),
	};
};

/** Reads the records a second time and yields the changed ones. @throws {JournalError} if this pass ends in a different state */
async function * changesOf(
	records: ForgettingRecords, {thirdness}: ForgettingResult, journal: PastJournal, to: number,
): AsyncGenerator<readonly JournalEntry[]> {
	for await (const page of readPages(journal, 0, to)) {
		const {changes} = records.read(page);
		if (changes.length > 0) {
			yield changes;
		}
	}

	if (!records.working.state.row('thirdness').every((value, i) => Object.is(value, thirdness[i]))) {
		throw new JournalError('Two readings of the records differed, so the journal stays as it was. Try again.', {retryable: true});
	}
}

/** The validation over the remaining texts; undefined if it does not change, null if too few texts remain. */
const validateAgain = async (
	validation: Validation, {gone, texts}: LeftBaseline, {anchor}: ForgettingResult,
	initial: StateTensor, deps: ForgetDeps, signal: AbortSignal,
): Promise<Validation | null | undefined> => {
	const moved = {...validation, anchor: {...validation.anchor, thirdness: anchor ?? validation.anchor.thirdness}};
	if (gone === 0) {
		return anchor ? moved : undefined;
	}

	if (!texts) {
		return null;
	}

	const {chance, baseline} = validation;
	const {seed = 0, horizon = 0, weight = 0, usesIds = true} = chance ?? {};
	return {
		...moved, texts, chance: chance && await askChance({seed, horizon, weight, cycles: texts}, initial, deps, signal), baseline: {
			...sizeOf(texts, usesIds), from: new Date(texts[0]!.time).toISOString(),
			sources: baseline.sources === null ? null : new Set(texts.map(({source}) => source)).size,
		},
	};
};
