/**
 * A settlement releases or drops held texts in its turn. Released texts move the state now, in the order in which they were
 * held. The settlement and all its cycles are written atomically.
 */
import type {Settled} from '../generated/types.ts';
import {turnMrad} from '../kernel/dot.ts';
import {compareStates, describeChanges} from '../instruments/compare.ts';
import {saidAtOf} from '../instruments/source-of.ts';
import {chosenBy, describeUnheld, followUnsaid} from '../instruments/text-choice.ts';
import type {HeldEntry, SettlementRecord, StoredCycle, StoredHeld} from '../journal/journal.ts';
import {readHeld} from '../journal/read-pages.ts';
import type {SettlementFacts, TextChoice} from '../journal/revision.ts';
import {timestampOf} from '../platform/clock.ts';
import {InputError} from '../platform/errors.ts';
import {countInEnglish} from '../platform/phrase.ts';
import {runCycle, type CycleRules} from '../semiosis/run-cycle.ts';
import type {Direction} from '../semiosis/profile.ts';
import type {MachineDeps} from './deps.ts';
import {oneLine} from './process-context.ts';
import {checkpointOf} from './tally.ts';
import type {TurnContext, TurnInput, TurnKind} from './turn-machine.ts';
import type {Turn} from './turns.ts';

/** The texts to release or drop, and who decided it. */
export type SettlementRequest = {
	readonly kind: SettlementFacts['kind']; readonly choice: TextChoice; readonly note: string; readonly by: string | null;
};

export type SettlementInput = TurnInput & {
	request: SettlementRequest; rules: Omit<CycleRules, 'kernel'> & {directions: readonly Direction[]};
};

/** Most texts in one settlement: its record is written whole, and other requests wait for its turn. */
const maxSettled = 1000;

/** The steps of a settlement. Its texts were counted when they were held, and are not counted again. */
export const settlementKind = (
	{journal, time, kernel}: Pick<MachineDeps, 'journal' | 'time' | 'kernel'>,
): TurnKind<TurnContext & SettlementInput> => ({
	name: 'settlement',
	inTurn: [{
		name: 'settling',
		async run({order: {id}, request: {kind, choice, note, by}, rules: {authority, reference, directions}, turn}) {
			// Texts of earlier turns may still be on their way.
			await journal!.flush();
			const before = turn!;
			const timestamp = timestampOf(time);
			const {chosen, left} = await chooseHeld(readHeld(journal!), choice);
			let after: Turn = before;
			const cycles: StoredCycle[] = [];
			for (const {record} of kind === 'release' ? chosen : []) {
				const released = release({kernel, authority, reference}, after, record, timestampOf(time));
				cycles.push(released.cycle);
				after = released.turn;
			}

			const {quarantine} = before;
			const ids = chosen.map(({record}) => record.id);
			const facts: SettlementFacts = {
				kind, id, timestamp, note, by, ids, stateIdBefore: before.state.stateId, stateId: after.state.stateId,
				turnMrad: turnMrad(before.state.row('thirdness'), after.state.row('thirdness')),
			};
			const record: SettlementRecord = {kind, id, timestamp, facts, settled: chosen.map(({seq}) => seq), cycles};
			const {kind: _, ...decided} = facts;
			const changes = compareStates(kernel, before.state.rows, after.state.rows, directions);
			const answer: Settled = {...decided, directions: changes, words: [describeChanges(changes)], p: null, left};
			const settled: Turn = {...after, quarantine: {...quarantine, waiting: quarantine.waiting - chosen.length}};
			return {outcome: oneLine({turn: settled, record, answer}, `${kind} of ${countInEnglish(chosen.length, 'text')}`)};
		},
	}],
});

/** The chosen texts, oldest first, at most 1,000, and the number left over. @throws {InputError} for a name that no held text has */
export const chooseHeld = async (
	pages: AsyncIterable<HeldEntry[]>, choice: TextChoice,
): Promise<{chosen: HeldEntry[]; left: number}> => {
	const isChosen = chosenBy(choice);
	const names = followUnsaid(choice);
	const chosen: HeldEntry[] = [];
	let left = 0;
	for await (const page of pages) {
		for (const entry of page) {
			names.hear(entry.record);
			if (isChosen(entry.record) && chosen.length < maxSettled) {
				chosen.push(entry);
			} else {
				left += Number(isChosen(entry.record));
			}
		}
	}

	const unsaid = names.find();
	if (unsaid) {
		throw new InputError(describeUnheld(unsaid));
	}

	return {chosen, left};
};

/** Applies a held text now, with the proposals that authority and science made when it arrived. */
const release = (rules: CycleRules, before: Turn, held: StoredHeld, timestamp: string): {cycle: StoredCycle; turn: Turn} => {
	const {reason: _, stateTimestamp: __, ...text} = held;
	const {state, vigilance, measures} = runCycle(rules, before, {vector: held.vector, proposals: held.proposals}, timestamp);
	return {
		turn: {...before, state, vigilance},
		cycle: {
			...text, kind: 'cycle', timestamp, saidAt: saidAtOf(held), ...measures, stateId: state.stateId, thirdness: state.row('thirdness'),
			checkpoint: checkpointOf(before.tally, vigilance.report.cumulativeDrift),
		} as StoredCycle,
	};
};
