/**
 * A revision waits for its turn like a cycle, so that no text comes between the past that it reads and the state that it
 * makes. In its turn it replays all earlier texts except the excluded ones, in a thread. Cycles wait; readers do not.
 */
import {
	describeRevision, exclusionsOf, factsOfRevision, holdsOf, requireChange, type Decision,
} from '../instruments/describe-revision.ts';
import {runAccepted} from '../instruments/past/questions.ts';
import type {RevisionRecord} from '../journal/journal.ts';
import {withProgress} from '../journal/read-pages.ts';
import {isRevision} from '../journal/revision.ts';
import {timestampOf} from '../platform/clock.ts';
import {countInEnglish} from '../platform/phrase.ts';
import type {Authority} from '../semiosis/fixation.ts';
import type {Direction} from '../semiosis/profile.ts';
import {startVigilance} from '../semiosis/vigilance.ts';
import type {StateTensor} from '../kernel/state-tensor.ts';
import type {MachineDeps} from './deps.ts';
import {forget} from './forgetting.ts';
import {oneLine} from './process-context.ts';
import {quarantineOf} from './quarantine.ts';
import {checkpointOf} from './tally.ts';
import type {Turn} from './turns.ts';
import type {TurnContext, TurnInput, TurnKind} from './turn-machine.ts';

/** The input of a revision: the decision, and the identity's origins and rules. */
export type RevisionInput = TurnInput & {
	decision: Decision; initial: StateTensor; reference: StateTensor; authority: Authority; directions: readonly Direction[];
};

type RevisionDeps = Pick<MachineDeps, 'journal' | 'time' | 'kernel' | 'questions'>;

/** The steps of a revision. The counters stay. */
export const revisionKind = ({journal, time, kernel, questions}: RevisionDeps): TurnKind<TurnContext & RevisionInput> => ({
	name: 'revision',
	inTurn: [{
		name: 'replaying',
		async run(context, signal, tell) {
			const {order: {id}, decision, initial, reference, authority, directions, turn} = context;
			if (decision.forget) {
				const outcome = await forget(context, decision.forget, {journal: journal!, time, kernel, questions, tell}, signal);
				return {outcome: oneLine(outcome, 'forgetting')};
			}

			const begun = time.elapsed();
			// Records of earlier turns may still be on their way.
			await journal!.flush();
			const [decisions, validation, to] = [await journal!.decisions(), await journal!.validation(), journal!.records];
			const earlier = decisions.filter(isRevision);
			const {quarantine} = turn!;
			const exclusions = exclusionsOf(decision, earlier, to);
			const question = {exclusions, revisions: earlier, without: decision.without ?? decision.holds ?? {}, ordinary: validation};
			const read = withProgress(journal!, records => tell({type: 'replay.progress', id, step: 'replaying', records, of: to}));
			const job = {name: 'revision', question, authority, initial, reference, from: {seq: 0, state: initial, cumulativeDrift: 0}} as const;
			const result = await runAccepted(questions, kernel, job, {journal: read, to}, signal);
			const {state: before, tally} = turn!;
			const holds = holdsOf(decision, quarantine.hold);
			requireChange(decision, result, before, quarantine.hold);
			const after = initial.withThirdness(before.stateId + 1, timestampOf(time), result.thirdness);
			const vigilance = startVigilance(kernel, after.rows, reference.rows, result.cumulativeDrift);
			const facts = factsOfRevision(decision, result, {before, after}, {id, exclusions, to, holds, earlier: earlier.at(-1)});
			const record: RevisionRecord = {
				kind: 'revision', id, timestamp: after.timestamp, stateId: after.stateId, thirdness: after.row('thirdness'),
				checkpoint: checkpointOf(tally, result.cumulativeDrift), facts,
			};
			const turned = {before, after, directions, kernel, onHold: quarantine.hold};
			const answer = describeRevision(facts, result, turned, (time.elapsed() - begun) / 1000);
			const left: Turn = {state: after, vigilance, tally, quarantine: quarantineOf(facts, quarantine.waiting)};
			return {outcome: oneLine({turn: left, record, answer}, `revision without ${countInEnglish(result.excluded, 'text')}`)};
		},
	}],
});
