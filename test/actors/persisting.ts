/** What tests of persisted snapshots share: a run that has everything to itself, and the states that a machine can be found in. */
import test, {type ExecutionContext} from 'ava';
import {SimulatedClock, type AnyStateMachine} from 'xstate';
import {selectKernel} from '../../src/kernel/select.ts';
import type {StateTensor} from '../../src/tensor/state-tensor.ts';
import {FakeJournal} from './fake-journal.ts';
import {FakeEncoder, mulberry32} from './fixtures.ts';

export const kernel = selectKernel('js');

/** Everything that one run of the software has to itself. Its clock begins at 0; the wall clock begins where it is told. */
export const run = (now = Date.UTC(2026, 0, 1)) => {
	const clock = new SimulatedClock();
	const time = {now: () => now + clock.now(), elapsed: () => clock.now()};
	return {clock, time, encoder: new FakeEncoder(), journal: new FakeJournal(), random: mulberry32(7)};
};

export type Run = ReturnType<typeof run>;

/** Paths of a machine's atomic states, but those that it only passes through. */
export const atomicStates = (machine: AnyStateMachine): string[] => {
	const within = (node: AnyStateMachine['root']): string[] => {
		const children = Object.values(node.states);
		if (children.length === 0) {
			return node.always ? [] : [node.path.join('.')];
		}

		return children.flatMap(child => within(child));
	};

	return within(machine.root);
};

export const coversAll = (machine: AnyStateMachine, cases: Record<string, unknown>) => {
	test(`every state of ${machine.id} has its case`, t => {
		t.deepEqual(Object.keys(cases).toSorted(), atomicStates(machine).toSorted());
	});
};

export const sameState = (t: ExecutionContext, state: StateTensor, other: StateTensor) => {
	t.is(state.stateId, other.stateId);
	t.is(state.timestamp, other.timestamp);
	t.deepEqual(state.rows, other.rows);
};
