/** The law of forgetting, over any journal: what was forgotten was never heard. */
import type {ExecutionContext} from 'ava';
import type {LocalIdentity} from '../../src/identity/identity.ts';
import {minimalAuthority} from '../../src/semiosis/fixation.ts';
import {replay, startReplay} from '../../src/instruments/replay.ts';
import type {Journal} from '../../src/journal/journal.ts';
import type {Kernel} from '../../src/kernel/kernel.ts';
import type {StateTensor} from '../../src/kernel/state-tensor.ts';
import {startIdentity, vectorOf} from '../actors/fixtures.ts';
import fc from '../helpers/fast-check.ts';

const names = ['ada', 'bo', 'viktor'];

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
	{
		weight: 3,
		arbitrary: fc.record({
			type: fc.constant('forget' as const), sources: fc.subarray(names, {maxLength: 2}), conversations: fc.subarray(['walk']),
			one: fc.option(fc.nat(20)),
		}),
	},
	{weight: 2, arbitrary: fc.record({type: fc.constant('at' as const), moment: fc.nat(40)})},
	{weight: 1, arbitrary: fc.constantFrom({type: 'reset' as const}, {type: 'restart' as const})},
);

export const anyHistory = fc.array(step, {minLength: 5, maxLength: 30});

type Step = typeof step extends fc.Arbitrary<infer Made> ? Made : never;

/** One in which somebody is forgotten, and cannot be forgotten again: every run has it. */
export const plainHistory: Step[] = [
	...['viktor', 'ada', 'viktor', 'bo'].map(source => ({type: 'say', source, conversation: 'tea'} as const)),
	...[1, 2].map(() => ({type: 'forget' as const, sources: ['viktor'], conversations: [], one: null})),
	{type: 'restart'},
];

type Text = {readonly content: string; readonly source: string; readonly conversation: string};

/** What an identity is made of, by this test alone. */
class Model {
	/** All that was said since a reset that stands; and what of it is heard. */
	#said: readonly Text[] = [];
	heard: readonly Text[] = [];
	/** What was heard in each state, and the text that made it. */
	#moments: ReadonlyArray<{readonly stateId: number; readonly heard: readonly Text[]; readonly text: Text | null}> = [];
	readonly forgotten: Text[] = [];

	note(stateId: number, text: Text | null): void {
		this.#moments = [...this.#moments, {stateId, heard: this.heard, text}];
	}

	say(text: Text): void {
		this.#said = [...this.#said, text];
		this.heard = [...this.heard, text];
	}

	leaveOut({sources, conversations}: {sources: readonly string[]; conversations: readonly string[]}): void {
		this.heard = this.#said.filter(({source, conversation}) => !sources.includes(source) && !conversations.includes(conversation));
	}

	goBack(stateId: number): void {
		this.heard = this.#moments.findLast(moment => moment.stateId === stateId)!.heard;
	}

	reset(): void {
		this.#said = [];
		this.heard = [];
	}

	forget(isGone: (text: Text) => boolean): void {
		const left = (texts: readonly Text[]): Text[] => texts.filter(text => !isGone(text));
		this.forgotten.push(...new Set(this.#moments.flatMap(({heard}) => heard).filter(isGone)));
		this.#said = left(this.#said);
		this.heard = left(this.heard);
		this.#moments = this.#moments
			.filter(({text}) => text === null || !isGone(text))
			.map(moment => ({...moment, heard: left(moment.heard)}));
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

export type Met = {forgot: number; refused: number};

/** What a place is asked after each forgetting: how often it has each of these passages. */
type Count = (passages: readonly Buffer[]) => Promise<number>;

let lives = 0;

/** Lives a history, and compares the state after each step with that of a life that never heard what was forgotten. */
export const liveHistory = async (
	t: ExecutionContext, steps: readonly Step[],
	{place, kernel, count}: {place: () => Journal; kernel: Kernel; count?: Count}, met: Met,
): Promise<void> => {
	let {identity}: {identity: LocalIdentity} = await startIdentity({journal: place(), kernel});
	const {initial} = identity.actor.getSnapshot().context.boot!;
	// Another life of the same place has its own texts.
	const life = ++lives;
	const model = new Model();
	model.note(initial.stateId, null);
	const texts: Text[] = [];
	for (const [i, next] of steps.entries()) {
		const note = `step ${i}`;
		let text: Text | null = null;
		if (next.type === 'say') {
			text = {content: `What life ${life} said in step ${i}.`, source: next.source, conversation: next.conversation};
			await identity.cycle({...text, id: text.content.replaceAll(' ', '-')});
			texts.push(text);
			model.say(text);
		} else if (next.type === 'reset') {
			await identity.reset();
			model.reset();
		} else if (next.type === 'restart') {
			await identity.dispose();
			({identity} = await startIdentity({journal: place(), kernel}));
		} else if (next.type === 'forget') {
			const one = next.one === null ? null : texts[next.one] ?? null;
			const {sources, conversations}: {sources: string[]; conversations: string[]} = one ? {sources: [], conversations: []} : next;
			const ids = one ? [one.content.replaceAll(' ', '-')] : [];
			const vectors = count && (await identity.records(1, 100))
				.flatMap(({record}) => 'vector' in record ? [[record.content, Buffer.from(record.vector.buffer)] as const] : []);
			const refused = await isRefused(identity.forget({sources, conversations, ids, note}));
			met[refused ? 'refused' : 'forgot']++;
			if (!refused) {
				const isGone = (said: Text): boolean => sources.includes(said.source) || conversations.includes(said.conversation) || said === one;
				model.forget(said => isGone(said) && texts.includes(said));
				const gone = new Map(vectors);
				const passages = texts.filter(isGone).flatMap(({content}) =>
					[Buffer.from(content), ...[0, 700, 1400].flatMap(at => gone.get(content)?.subarray(at, at + 48) ?? [])]);
				t.is(await count?.(passages) ?? 0, 0, `${note}: bytes of what was forgotten`);
			}
		} else {
			const {sources, conversations} = next.type === 'without' ? next : {sources: [], conversations: []};
			const at = next.type === 'at' ? initial.stateId + next.moment : null;
			const refused = await isRefused(identity.revise(at === null ? {without: {sources, conversations}, note} : {at, note}));
			if (!refused && at === null) {
				model.leaveOut({sources, conversations});
			} else if (!refused) {
				model.goBack(at!);
			}
		}

		const {dimensions, stateId} = identity.tensor();
		t.deepEqual(Object.values(dimensions), rowsOf(initial, model.heard, kernel), note);
		model.note(stateId, text);
	}

	await identity.dispose();
};
