/**
 * The law of revisions: after any series of texts, revisions, holds, releases, drops, resets and restarts, the state has the
 * bits of a history of the texts in force.
 */
import test from 'ava';
import type {LocalIdentity} from '../../src/identity/identity.ts';
import type {Journal} from '../../src/journal/journal.ts';
import type {Kernel} from '../../src/kernel/kernel.ts';
import {startIdentity} from '../actors/fixtures.ts';
import fc from '../helpers/fast-check.ts';
import {deepEqual} from '../helpers/deep-equal.ts';
import {isRefused, rowsOf, type Text} from './forgetting-law.ts';

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
		arbitrary: fc.record({
			type: fc.constant('without' as const), sources: fc.subarray(names), conversations: fc.subarray(['tea']), hold: fc.boolean(),
		}),
	},
	{
		weight: 2,
		arbitrary: fc.record({type: fc.constantFrom('release' as const, 'drop' as const), sources: fc.subarray(names, {minLength: 1})}),
	},
	{
		weight: 2,
		arbitrary: fc.record({type: fc.constant('hold' as const), sources: fc.subarray(names), conversations: fc.subarray(['walk'])}),
	},
	{weight: 2, arbitrary: fc.record({type: fc.constant('at' as const), moment: fc.nat(40)})},
	{weight: 1, arbitrary: fc.constantFrom({type: 'reset' as const}, {type: 'restart' as const})},
);

type Step = typeof step extends fc.Arbitrary<infer Made> ? Made : never;

/** A history with a text held and released, and a decision that is refused. Every run has it. */
const plainHistory: Step[] = [
	...names.map(source => ({type: 'say', source, conversation: 'tea'} as const)),
	{type: 'without', sources: ['ada'], conversations: [], hold: true},
	...names.map(source => ({type: 'say', source, conversation: 'walk'} as const)),
	...['release', 'drop'].map(type => ({type: type as 'release' | 'drop', sources: ['ada']})),
	{type: 'restart'},
];

type Names = {sources: string[]; conversations: string[]};

const isOf = ({sources, conversations}: Names) => ({source, conversation}: Text): boolean =>
	sources.includes(source) || conversations.includes(conversation);

/** An independent model of the texts that make up the state. */
class Model {
	/** All texts since the last reset, and those of them in the state. */
	#said: Text[] = [];
	inForce: readonly Text[] = [];
	/** The sources and conversations on hold, and the held texts. */
	#hold: Names = {sources: [], conversations: []};
	waiting: Text[] = [];
	/** The texts in each state, by its id. */
	readonly #moments = new Map<number, readonly Text[]>();

	readonly beginning: number;

	constructor(beginning: number) {
		this.beginning = beginning;
		this.note(beginning);
	}

	note(stateId: number): void {
		this.#moments.set(stateId, this.inForce);
	}

	/** @returns whether the text is held */
	say(text: Text): boolean {
		const isHeld = isOf(this.#hold)(text);
		if (isHeld) {
			this.waiting.push(text);
		} else {
			this.#said.push(text);
			this.inForce = [...this.inForce, text];
		}

		return isHeld;
	}

	leaveOut({hold, ...left}: Names & {hold: boolean}): void {
		this.inForce = this.#said.filter(text => !isOf(left)(text));
		this.hold(hold ? left : {sources: [], conversations: []});
	}

	hold(held: Names): void {
		this.#hold = held;
	}

	/** @param stateId of the state before */
	settle(sources: string[], isReleased: boolean, stateId: number): void {
		const isChosen = isOf({sources, conversations: []});
		for (const [i, text] of (isReleased ? this.waiting.filter(isChosen) : []).entries()) {
			this.#said.push(text);
			this.inForce = [...this.inForce, text];
			this.note(stateId + 1 + i);
		}

		this.waiting = this.waiting.filter(text => !isChosen(text));
	}

	goBack(stateId: number): void {
		this.inForce = this.#moments.get(stateId)!;
	}

	reset(): void {
		this.#said = [];
		this.inForce = [];
	}
}

type Decided = Exclude<Step, {type: 'say' | 'reset' | 'restart'}>;

/** @returns whether the decision is refused */
const tryDecision = async (identity: LocalIdentity, model: Model, next: Decided, note: string): Promise<boolean> => {
	const {stateId} = identity.state();
	switch (next.type) {
		case 'without': {
			const {sources, conversations, hold} = next;
			const refused = await isRefused(identity.revise({without: {sources, conversations}, hold, note}));
			if (!refused) {
				model.leaveOut({sources, conversations, hold});
			}

			return refused;
		}

		case 'at': {
			const at = model.beginning + next.moment;
			const refused = await isRefused(identity.revise({at, note}));
			if (!refused) {
				model.goBack(at);
			}

			return refused;
		}

		case 'hold': {
			const {sources, conversations} = next;
			const takeBack = sources.length + conversations.length === 0;
			const refused = await isRefused(identity.hold({sources, conversations, takeBack, note}));
			if (!refused) {
				model.hold({sources, conversations});
			}

			return refused;
		}

		default: {
			const {type, sources} = next;
			const refused = await isRefused(type === 'release' ? identity.releaseHeld({sources, note}) : identity.dropHeld({sources, note}));
			if (!refused) {
				model.settle(sources, type === 'release', stateId);
			}

			return refused;
		}
	}
};

/** Tests the law with a kernel, and with journals in new places. */
export const testLaw = (name: string, kernel: Kernel, place: () => Promise<() => Journal>, runs: number): void => {
	test(`${name}: the state has the bits of a history of the texts in force`, async t => {
		const met = {decided: 0, refused: 0, held: 0, released: 0};
		await fc.assert(fc.asyncProperty(fc.array(step, {minLength: 5, maxLength: 30}), async steps => {
			const open = await place();
			let {identity}: {identity: LocalIdentity} = await startIdentity({journal: open(), kernel});
			const {boot} = identity.actor.getSnapshot().context;
			const initial = boot!.initial;
			const model = new Model(initial.stateId);
			for (const [i, next] of steps.entries()) {
				const note = `step ${i}`;
				if (next.type === 'say') {
					const text = {content: `text ${i}`, source: next.source, conversation: next.conversation};
					const {held} = await identity.cycle({...text, id: `text-${i}`});
					t.is(held !== undefined, model.say(text), note);
					met.held += Number(held !== undefined);
				} else if (next.type === 'reset') {
					await identity.reset();
					model.reset();
				} else if (next.type === 'restart') {
					await identity.dispose();
					({identity} = await startIdentity({journal: open(), kernel}));
				} else {
					const refused = await tryDecision(identity, model, next, note);
					met[refused ? 'refused' : 'decided']++;
					met.released += Number(!refused && next.type === 'release');
				}

				const {dimensions, stateId} = identity.tensor();
				deepEqual(t, Object.values(dimensions), rowsOf(initial, model.inForce, kernel), note);
				t.is(identity.actor.getSnapshot().context.quarantine!.waiting, model.waiting.length, note);
				model.note(stateId);
			}

			await identity.dispose();
		}), {numRuns: runs, examples: [[plainHistory]]});
		t.true(Object.values(met).every(count => count > 0), JSON.stringify(met));
	});
};
