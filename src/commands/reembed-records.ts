/**
 * Embeds a journal's texts again and replays every cycle in order, from the same initial state, into a
 * new journal.
 *
 * Ids, times, triggers and counters stay the same; vectors, scores, rows and drift are the
 * new model's. The initial state and the reference are kept. The newest validation is made again from the same
 * texts, and a revision without the same ones. Held texts stay held.
 */
import {embed} from '../actors/embed-text.ts';
import {passportOf, type Encoder} from '../embedding/encoder.ts';
import {ConfigurationError} from '../platform/errors.ts';
import {countInEnglish} from '../platform/phrase.ts';
import {toBaselineText} from '../instruments/drift/baseline.ts';
import {findChanceOf, toMeasuredText} from '../instruments/drift/ordinary.ts';
import {defaultHorizon} from '../instruments/drift/paths.ts';
import {turnMrad} from '../kernel/dot.ts';
import {startReplay, type ReplayRules} from '../instruments/replay.ts';
import {RevisedRecords} from '../instruments/revised-records.ts';
import {readPages, type JournalView} from '../journal/read-pages.ts';
import {
	unmoved, type CycleRecord, type ForgottenRecord, type HeldRecord, type Journal, type JournalEntry,
	type SettlementRecord, type StoredCycle, type StoredHeld, type StoredRevision,
} from '../journal/journal.ts';
import type {StoredValidation, Validation, ValidationRecord} from '../journal/validation.ts';
import {isRevision, type Revision, type RevisionFacts, type SettlementFacts, type TextsDecision} from '../journal/revision.ts';
import type {Kernel} from '../kernel/kernel.ts';
import type {StateTensor} from '../kernel/state-tensor.ts';
import {runCycle, type WorkingState} from '../semiosis/run-cycle.ts';
import {minimalAuthority, proposalsOf, type Authority} from '../semiosis/fixation.ts';

/** The parts that the cycles run with. */
export type ReembedOptions = {
	encoder: Encoder;
	kernel: Kernel;
	/** Authority, embedded with the new model; the minimal authority by default. */
	authority?: Authority;
	/** Finds the vectors that the method of science compares a text with; none by default. */
	corroborate?: ((vector: Float32Array) => Promise<ReadonlyArray<Float32Array | null>>) | null;
	onProgress?: ((done: number, total: number) => void) | undefined;
};

/** The journal to rebuild; the caller closes it. */
type Old = Omit<JournalView, 'close'>;

/** The new journal's cycles and state. */
export type Reembedded = {cycles: number; stateId: number};

/**
 * Fills the new journal, and closes it.
 *
 * @throws {ConfigurationError} if the journal already belongs to this model, or texts are missing.
 */
export const reembedRecords = async (old: Old, journal: Journal, options: ReembedOptions): Promise<Reembedded> => {
	try {
		await requireTexts(old, options.encoder);
		return await replayCycles(old, journal, options);
	} finally {
		await journal.close();
	}
};

const requireTexts = async (old: Old, encoder: Encoder): Promise<void> => {
	const passport = passportOf(encoder);
	if (JSON.stringify(old.genesis.passport) === JSON.stringify(passport)) {
		throw new ConfigurationError(`The journal already belongs to “${passport.model}”. Set EMBEDDING_MODEL to the new model.`);
	}

	let missing = old.compacted;
	for await (const {record} of old.replay({from: old.compacted + 1})) {
		if ((record.kind === 'cycle' || record.kind === 'held') && record.isHashed) {
			missing++;
		}
	}

	if (missing > 0) {
		throw new ConfigurationError(`The texts of ${missing} of ${countInEnglish(old.records, 'record')} are gone (hashed or compacted), `
			+ 'so the state cannot be rebuilt under another model. Keep the first model. To give other identities the new one, move this '
			+ 'one to another DATA_DIR by “processual backup” and “processual restore”, and serve it there with the first model.');
	}
};

const replayCycles = async (old: Old, journal: Journal, options: ReembedOptions): Promise<Reembedded> => {
	const {encoder, kernel, authority = minimalAuthority, onProgress} = options;
	const {initial, reference, isRandom} = old.genesis;
	const rules = {kernel, authority, reference, initial};
	const rebuilt = new Rebuilt({...options, rules, journal, decisions: await old.decisions(), validation: await old.validation()});
	await journal.open();
	await journal.begin({initial, reference, passport: passportOf(encoder), isRandom});
	for await (const entry of old.replay()) {
		await rebuilt.take(entry);
		onProgress?.(entry.seq, old.records);
	}

	return {cycles: rebuilt.cycles, stateId: rebuilt.working.state.stateId};
};

/** A text of a release; it may have been forgotten since. */
type Released = StoredCycle | ForgottenRecord;

type Releasing = {record: SettlementRecord<Released> & {cycles: Released[]}; before: StateTensor};

/** The parts for rebuilding records: the new journal, and the old one's decisions and newest validation. */
type Rebuilding = ReembedOptions & {
	readonly rules: ReplayRules; readonly journal: Journal; readonly decisions: readonly TextsDecision[];
	readonly validation: Validation | null;
};

/** Rebuilds the records for the new journal, with the numbers of the old ones. */
class Rebuilt {
	working: WorkingState;
	cycles = 0;
	readonly #given: Rebuilding;
	/** The ids of the newest validation's texts. Others were left out by a revision, or forgotten. */
	readonly #validated: ReadonlySet<string>;
	/** The cycles of these texts, each with the state before it. */
	readonly #baseline: Array<{cycle: StoredCycle; before: StateTensor}> = [];
	/** The numbers of held texts, by id. */
	readonly #held = new Map<string, number>();
	/** A release whose cycles are still to come, with the state before them. */
	#releasing: Releasing | null = null;

	constructor(given: Rebuilding) {
		this.#given = given;
		this.#validated = new Set(given.validation?.texts.map(({id}) => id));
		this.working = startReplay(given.rules);
	}

	async take({seq, record}: JournalEntry): Promise<void> {
		switch (record.kind) {
			case 'cycle':
			case 'held': return this.#takeText(seq, record);
			case 'validation': return this.#given.journal.append(this.#validateAgain(seq, record));
			case 'revision': return this.#revise(seq, record);
			case 'release':
			case 'drop': {
				const facts = this.#factsAt(seq) as SettlementFacts;
				const {kind, id, timestamp} = record;
				const settled: Releasing['record'] = {
					// Forgotten texts are no longer held.
					kind, id, timestamp, facts, settled: facts.ids.flatMap(text => this.#held.get(text) ?? []), cycles: [],
				};
				this.#releasing = record.kind === 'release' ? {record: settled, before: this.working.state} : null;
				return this.#releasing ? undefined : this.#given.journal.append(settled);
			}

			case 'snapshot': return;
			default: {
				this.working = record.kind === 'reset' ? startReplay(this.#given.rules) : this.working;
				return record.kind === 'forgotten' ? this.#write(record) : this.#given.journal.append(record);
			}
		}
	}

	async #takeText(seq: number, record: StoredCycle | StoredHeld): Promise<void> {
		const {encoder, corroborate} = this.#given;
		// Records without a text were rejected before.
		const text = record as CycleRecord | HeldRecord;
		const {vector, report: tokenReport} = await embed(text.content, encoder);
		const before = this.working;
		const step = runCycle(this.#given.rules, before, {vector, corroborating: await corroborate?.(vector)}, text.timestamp);
		const {measures, fixation} = step;
		// The number is the old one, because a forgotten text leaves a gap.
		const {state, vigilance} = text.kind === 'cycle' ? {...step, state: step.state.withId(text.stateId)} : before;
		const {cumulativeDrift} = vigilance.report;
		const made = {
			vector, tokenReport, ...measures, proposals: proposalsOf(fixation), thirdness: state.row('thirdness'),
			checkpoint: {...text.checkpoint, cumulativeDrift},
		};
		if (text.kind === 'held') {
			this.#held.set(text.id, seq);
			return this.#given.journal.append({...text, ...made, ...unmoved(vigilance.report), stateTimestamp: state.timestamp});
		}

		this.working = {state, vigilance};
		this.cycles++;
		const cycle: StoredCycle = {...text, ...made, isHashed: false};
		if (this.#validated.has(cycle.id)) {
			this.#baseline.push({cycle, before: before.state});
		}

		return this.#write(cycle);
	}

	/** Writes a text; a release only together with all its cycles and their tombstones. */
	async #write(text: Released): Promise<void> {
		if (!this.#releasing) {
			return this.#given.journal.append(text as CycleRecord | ForgottenRecord);
		}

		const {record, before} = this.#releasing;
		record.cycles.push(text);
		if (record.cycles.length === record.facts.ids.length) {
			this.#releasing = null;
			const angle = turnMrad(before.row('thirdness'), this.working.state.row('thirdness'));
			await this.#given.journal.append({...record, facts: {...record.facts, turnMrad: angle}});
		}
	}

	/** Only the newest validation keeps its texts; an earlier or invalid one has none. */
	#validateAgain(seq: number, record: StoredValidation): ValidationRecord {
		const anchor = {timestamp: this.working.state.timestamp, thirdness: this.working.state.row('thirdness')};
		if (this.#given.validation?.seq !== seq) {
			return {...record, anchor, texts: [], chance: null};
		}

		const {baseline: facts, chance} = this.#given.validation;
		const cycles = this.#baseline.map(({cycle}) => toMeasuredText(cycle));
		const question = {seed: chance?.seed ?? seq, horizon: chance?.horizon ?? defaultHorizon, cycles};
		return {
			...record, anchor, baseline: facts, texts: this.#baseline.map(({cycle}) => toBaselineText(cycle)),
			chance: cycles.length === 0 ? null : findChanceOf(this.#baseline[0]!.before.rows, question),
		};
	}

	async #revise(seq: number, record: StoredRevision): Promise<void> {
		const before = this.working.state;
		this.working = await reviseAgain(this.#given.rules, this.#given.journal, this.#given.decisions.filter(isRevision), record);
		const {state, vigilance} = this.working;
		await this.#given.journal.append({
			...record, thirdness: state.row('thirdness'),
			checkpoint: {...record.checkpoint, cumulativeDrift: vigilance.report.cumulativeDrift},
			facts: {...this.#factsAt(seq) as RevisionFacts, turnMrad: turnMrad(before.row('thirdness'), state.row('thirdness'))},
		});
	}

	#factsAt(at: number): RevisionFacts | SettlementFacts {
		const {seq: _, ...facts} = this.#given.decisions.find(({seq}) => seq === at)!;
		return facts;
	}
}

/** The working state after a revision, replayed from the new records, which have the numbers of the old ones. */
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
