/** The limit of state ids. The rules of fixation are tested by the golden cases and the laws of the kernels. */
import test from 'ava';
import {selectKernel} from '../../src/kernel/select.ts';
import {measureDissonance} from '../../src/semiosis/dissonance.ts';
import {applyFixation, fixate, maxInitialStateId} from '../../src/semiosis/fixation.ts';
import {randomState} from '../../src/semiosis/initial-state.ts';
import {mulberry32, startIdentity, vectorOf} from '../actors/fixtures.ts';

const time = '2026-01-01T00:00:00.000Z';

const after = (stateId: number): number => {
	const kernel = selectKernel();
	const state = randomState(mulberry32(1), time).withId(stateId);
	const e = vectorOf('a text');
	return applyFixation(kernel, state, e, fixate(kernel, e, measureDissonance(kernel, state.rows, e).comparison), time).state.stateId;
};

test('state ids increase up to the largest safe integer', t => {
	t.is(after(maxInitialStateId), maxInitialStateId + 1);
	t.is(after(Number.MAX_SAFE_INTEGER - 1), Number.MAX_SAFE_INTEGER);
	t.throws(() => after(Number.MAX_SAFE_INTEGER), {
		code: 'configuration',
		message: /state_id 9007199254740991 is the last.*at most 4503599627370496/,
	});
});

test('a cycle after the last id fails, and nothing moves', async t => {
	const last = randomState(mulberry32(1), time).withId(Number.MAX_SAFE_INTEGER);
	const {identity} = await startIdentity({initialState: async () => last});
	for (const content of ['one', 'two']) {
		await t.throwsAsync(identity.cycle({content}), {code: 'configuration', message: /is the last that a JSON number holds/});
	}

	const {state} = identity.actor.getSnapshot().context;
	t.is(state!.stateId, Number.MAX_SAFE_INTEGER);
	t.deepEqual(state!.rows, last.rows);
	t.is(identity.metrics().totalCycles, 0);
	t.is((await identity.reset()).stateId, Number.MAX_SAFE_INTEGER);
	await identity.dispose();
});
