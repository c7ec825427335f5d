/**
 * Embeds a journal's texts again and replays every cycle in order, from the same initial state, into a
 * new journal.
 *
 * Ids, times, triggers and counters stay the same; vectors, scores, rows and drift are the
 * new model's. The initial state and the reference stay as they are. A validation is made again from
 * the same texts, and a revision without the same ones.
 */
import {embed} from '../actors/embed-text.ts';
import {passportOf, type Encoder} from '../embedding/encoder.ts';
import {ConfigurationError} from '../platform/errors.ts';
import {maxTexts, toBaselineText} from '../instruments/drift/baseline.ts';
import {findChanceOf, toMeasuredText} from '../instruments/drift/find-chance.ts';
import {defaultHorizon} from '../instruments/drift/paths.ts';
import {turnMrad} from '../kernel/dot.ts';
import {replay, startReplay, type ReplayRules} from '../instruments/replay.ts';
import {RevisedRecords} from '../instruments/revised-records.ts';
import {readPages, type JournalView} from '../journal/read-pages.ts';
import type {CycleRecord, Journal, StoredCycle, StoredRevision} from '../journal/journal.ts';
import type {Revision, RevisionFacts} from '../journal/revision.ts';
import type {Kernel} from '../kernel/kernel.ts';
import type {StateTensor} from '../kernel/state-tensor.ts';
import type {WorkingState} from '../semiosis/run-cycle.ts';
import {minimalAuthority, proposalsOf, type Authority} from '../semiosis/fixation.ts';

/** What the cycles run with. */
export type ReembedOptions = {
	encoder: Encoder;
	kernel: Kernel;
	/** Authority, embedded with the new model; the minimal authority by default. */
	authority?: Authority;
	/** Finds the vectors that science compares a text with; none by default. */
	corroborate?: ((vector: Float32Array) => Promise<ReadonlyArray<Float32Array | null>>) | null;
	onProgress?: ((done: number, total: number) => void) | undefined;
};

/** The new journal's cycles and state. */
export type Reembedded = {cycles: number; stateId: number};

/**
 * Fills the new journal, and closes it.
 *
 * @throws {ConfigurationError} if the journal already belongs to this model, or texts are missing.
 */
export const reembedRecords = async (old: JournalView, journal: Journal, options: ReembedOptions): Promise<Reembedded> => {
	try {
		await requireTexts(old, options.encoder);
		return await replayCycles(old, journal, options);
	} finally {
		await journal.close();
	}
};

const requireTexts = async (old: JournalView, encoder: Encoder): Promise<void> => {
	const passport = passportOf(encoder);
	if (JSON.stringify(old.genesis.passport) === JSON.stringify(passport)) {
		throw new ConfigurationError(`The journal already belongs to “${passport.model}”. Set EMBEDDING_MODEL to the new model.`);
	}

	let missing = old.compacted;
	for await (const {record} of old.replay({from: old.compacted + 1})) {
		if (record.kind === 'cycle' && record.isHashed) {
			missing++;
		}
	}

	if (missing > 0) {
		throw new ConfigurationError(`The texts of ${missing} of ${old.records} records are gone (hashed or compacted), `
			+ 'so the state cannot be rebuilt under another model. Keep the first model, or start a new identity in another DATA_DIR.');
	}
};

const replayCycles = async (
	old: JournalView, journal: Journal,
	{encoder, kernel, authority = minimalAuthority, corroborate, onProgress}: ReembedOptions,
): Promise<Reembedded> => {
	const {initial, reference, isRandom} = old.genesis;
	const rules = {kernel, authority, reference, initial};
	let working = startReplay(rules);
	/** The cycles that the next validation may be made of, each with the state before it. */
	let recent: Array<{cycle: StoredCycle; before: StateTensor}> = [];
	let cycles = 0;
	const revisions = await old.revisions();
	await journal.open();
	await journal.begin({initial, reference, passport: passportOf(encoder), isRandom});

	for await (const {seq, record} of old.replay()) {
		if (record.kind === 'cycle') {
			const {vector, report: tokenReport} = await embed(record.content, encoder);
			const text = {kind: record.kind, timestamp: record.timestamp, vector, corroborating: await corroborate?.(vector)};
			let appended: Promise<void> | undefined;
			working = replay(rules, working, [text], ({state, vigilance, measures, fixation}) => {
				const made: CycleRecord = {
					...withText(record),
					vector,
					tokenReport,
					...measures,
					proposals: proposalsOf(fixation),
					stateId: state.stateId,
					thirdness: state.row('thirdness'),
					checkpoint: {...record.checkpoint, cumulativeDrift: vigilance.report.cumulativeDrift},
				};
				recent.push({cycle: {...made, isHashed: false}, before: working.state});
				recent = recent.length >= 2 * maxTexts ? recent.slice(-maxTexts) : recent;
				appended = journal.append(made);
			});
			await appended;
			cycles++;
		} else if (record.kind === 'validation') {
			const {timestamp} = working.state;
			const baseline = recent.slice(-record.baseline.texts);
			const texts = baseline.map(({cycle}) => toBaselineText(cycle));
			const chance = texts.length === 0
				? null
				: findChanceOf(
					kernel, baseline[0]!.before.rows,
					{seed: seq, horizon: defaultHorizon, cycles: baseline.map(({cycle}) => toMeasuredText(cycle))},
				);
			await journal.append({...record, anchor: {timestamp, thirdness: working.state.row('thirdness')}, texts, chance});
		} else if (record.kind === 'revision') {
			const before = working.state;
			working = await reviseAgain(rules, journal, revisions, record);
			await journal.append({
				...record, thirdness: working.state.row('thirdness'),
				checkpoint: {...record.checkpoint, cumulativeDrift: working.vigilance.report.cumulativeDrift},
				facts: {...factsAt(revisions, seq), turnMrad: turnMrad(before.row('thirdness'), working.state.row('thirdness'))},
			});
		} else if (record.kind !== 'snapshot') {
			working = replay(rules, working, [record]);
			await journal.append(record);
		}

		onProgress?.(seq, old.records);
	}

	return {cycles, stateId: working.state.stateId};
};

/** The working state that a revision makes of the new records, which have the numbers of the old ones. */
const reviseAgain = async (
	rules: ReplayRules, journal: Journal, all: readonly Revision[], {id, stateId, timestamp}: StoredRevision,
): Promise<WorkingState> => {
	const newest = all.find(revision => revision.id === id)!;
	const revisions = [...all.filter(({seq}) => seq < newest.seq), newest] as const;
	const records = new RevisedRecords(rules, startReplay(rules), {revisions, block: 0}, false);
	const made = {read: async (from: number, count: number) => journal.read(from, count), records: newest.seq - 1};
	for await (const page of readPages(made, 0, made.records)) {
		records.read(page);
	}

	const {state, vigilance} = records.working;
	return {state: rules.initial.withThirdness(stateId, timestamp, state.row('thirdness')), vigilance};
};

const factsAt = (revisions: readonly Revision[], at: number): RevisionFacts => {
	const {seq: _, ...facts} = revisions.find(({seq}) => seq === at)!;
	return facts;
};

/** @throws {ConfigurationError} for a record without its text, which {@link requireTexts} excludes. */
const withText = (record: StoredCycle): CycleRecord => {
	if (record.isHashed) {
		throw new ConfigurationError('The text of a record is gone.');
	}

	return record;
};
