/**
 * The law of revisions: whatever was said, left out, taken back, reset and restarted, the state has the bits of a history
 * that heard what is left.
 */
import test from 'ava';
import type {LocalIdentity} from '../../src/identity/identity.ts';
import {createJsKernel} from '../../src/kernel/js.ts';
import type {Kernel} from '../../src/kernel/kernel.ts';
import {selectKernel} from '../../src/kernel/select.ts';
import type {StateTensor} from '../../src/kernel/state-tensor.ts';
import {replay, startReplay} from '../../src/instruments/replay.ts';
import {minimalAuthority} from '../../src/semiosis/fixation.ts';
import {FakeJournal} from '../actors/fake-journal.ts';
import {startIdentity, vectorOf} from '../actors/fixtures.ts';
import fc from '../helpers/fast-check.ts';
import {often} from '../helpers/often.ts';

const names = ['ada', 'bo', 'cy'];

const step = fc.oneof(
	{
		weight: 12,
		arbitrary: fc.record(
			{type: fc.constant('say' as const), source: fc.constantFrom(...names), conversation: fc.constantFrom('tea', 'walk')},
		),
	},
	{
		weight: 3,
		arbitrary: fc.record({type: fc.constant('without' as const), sources: fc.subarray(names), conversations: fc.subarray(['tea'])}),
	},
	{weight: 2, arbitrary: fc.record({type: fc.constant('at' as const), moment: fc.nat(40)})},
	{weight: 1, arbitrary: fc.constantFrom({type: 'reset' as const}, {type: 'restart' as const})},
);

type Text = {readonly content: string; readonly source: string; readonly conversation: string};

/** What an identity is made of, by this test alone. */
class Model {
	/** All that was said since a reset that stands; and what of it is heard. */
	#said: Text[] = [];
	heard: readonly Text[] = [];
	/** What was heard in each state, by its id; and all that was said then. */
	readonly #moments = new Map<number, readonly Text[]>();

	note(stateId: number): void {
		this.#moments.set(stateId, this.heard);
	}

	say(text: Text): void {
		this.#said.push(text);
		this.heard = [...this.heard, text];
	}

	leaveOut({sources, conversations}: {sources: string[]; conversations: string[]}): void {
		this.heard = this.#said.filter(({source, conversation}) => !sources.includes(source) && !conversations.includes(conversation));
	}

	goBack(stateId: number): void {
		this.heard = this.#moments.get(stateId)!;
	}

	reset(): void {
		this.#said = [];
		this.heard = [];
	}
}

const rowsOf = (initial: StateTensor, texts: readonly Text[], kernel: Kernel): readonly Float32Array[] => {
	const rules = {kernel, authority: minimalAuthority, initial, reference: initial};
	return replay(
		rules, startReplay(rules),
		texts.map(({content}) => ({kind: 'cycle' as const, timestamp: initial.timestamp, vector: vectorOf(content)})),
	).state.rows;
};

const isRefused = async (call: Promise<unknown>): Promise<boolean> => call.then(() => false, (error: {code?: string}) => {
	if (error.code !== 'input') {
		throw error;
	}

	return true;
});

for (const [name, kernel] of [['js', createJsKernel()], ['chosen', selectKernel()]] as const) {
	test(`${name}: the state has the bits of a history that heard what is left`, async t => {
		const met = {revised: 0, refused: 0};
		await fc.assert(fc.asyncProperty(fc.array(step, {minLength: 5, maxLength: 30}), async steps => {
			const journal = new FakeJournal();
			let {identity}: {identity: LocalIdentity} = await startIdentity({journal, kernel});
			const {initial} = journal.genesis!;
			const model = new Model();
			model.note(initial.stateId);
			for (const [i, next] of steps.entries()) {
				const note = `step ${i}`;
				if (next.type === 'say') {
					const text = {content: `text ${i}`, source: next.source, conversation: next.conversation};
					await identity.cycle(text);
					model.say(text);
				} else if (next.type === 'reset') {
					await identity.reset();
					model.reset();
				} else if (next.type === 'restart') {
					await identity.dispose();
					({identity} = await startIdentity({journal, kernel}));
				} else {
					const {sources, conversations} = next.type === 'without' ? next : {sources: [], conversations: []};
					const at = next.type === 'at' ? initial.stateId + next.moment : null;
					const refused = await isRefused(identity.revise(at === null ? {without: {sources, conversations}, note} : {at, note}));
					met[refused ? 'refused' : 'revised']++;
					if (!refused && at === null) {
						model.leaveOut({sources, conversations});
					} else if (!refused) {
						model.goBack(at!);
					}
				}

				const {dimensions, stateId} = identity.tensor();
				t.deepEqual(Object.values(dimensions), rowsOf(initial, model.heard, kernel), note);
				model.note(stateId);
			}

			await identity.dispose();
		}), {numRuns: often(60, 400)});
		t.true(met.revised > 10 && met.refused > 0, JSON.stringify(met));
	});
}
