/** Checks the law of forgetting on any journal: random histories, and an independent model of them. */
import type {ExecutionContext} from 'ava';
import type {LocalIdentity} from '../../src/identity/identity.ts';
import {minimalAuthority} from '../../src/semiosis/fixation.ts';
import {horizons} from '../../src/instruments/drift/paths.ts';
import {replay} from '../helpers/replay.ts';
import {startReplay} from '../../src/instruments/replay.ts';
import type {Journal} from '../../src/journal/journal.ts';
import type {Kernel} from '../../src/kernel/kernel.ts';
import type {StateTensor} from '../../src/kernel/state-tensor.ts';
import {startIdentity, vectorOf} from '../actors/fixtures.ts';
import fc from '../helpers/fast-check.ts';
import {deepEqual} from '../helpers/deep-equal.ts';
import {isLongRun} from '../helpers/often.ts';

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
	{weight: 1, arbitrary: fc.constantFrom({type: 'reset' as const}, {type: 'restart' as const}, {type: 'validate' as const})},
	// What a validation needs: 450 texts in 75 conversations, one of ten by Viktor.
	{weight: 0, arbitrary: fc.constant({type: 'talk' as const})},
);

export const anyHistory = fc.array(step, {minLength: 5, maxLength: 30});

type Step = typeof step extends fc.Arbitrary<infer Made> ? Made : never;

/** A history with a forgetting, and a second one that is refused. Every run has it. */
export const plainHistory: Step[] = [
	...['viktor', 'ada', 'viktor', 'bo'].map(source => ({type: 'say', source, conversation: 'tea'} as const)),
	...[1, 2].map(() => ({type: 'forget' as const, sources: ['viktor'], conversations: [], one: null})),
	{type: 'restart'},
];

/** A history with a validation that forgets some of the baseline, then most of it. Every run with a baseline has it. */
export const validatedHistory: Step[] = [
	{type: 'talk'},
	{type: 'validate'},
	{type: 'say', source: 'viktor', conversation: 'tea'},
	{type: 'forget', sources: ['viktor'], conversations: [], one: null},
	{type: 'restart'},
	{type: 'without', sources: ['bo'], conversations: []},
	{type: 'forget', sources: ['ada'], conversations: [], one: null},
	{type: 'validate'},
];

/** Histories with a baseline. */
export const validHistory = fc.array(step, {minLength: 5, maxLength: 15})
	.map((steps): Step[] => [{type: 'talk'}, {type: 'validate'}, ...steps]);

export type Text = {readonly content: string; readonly source: string; readonly conversation: string};

/** An independent model of the texts that make up the state. */
class Model {
	/** All texts since the last reset, and those of them in the state. */
	#said: readonly Text[] = [];
	inForce: readonly Text[] = [];
	/** The texts in each state, and the text that made it. */
	#moments: ReadonlyArray<{readonly stateId: number; readonly inForce: readonly Text[]; readonly text: Text | null}> = [];
	readonly forgotten: Text[] = [];
	/** The texts in the validated state; null without a validation. */
	validated: readonly Text[] | null = null;

	note(stateId: number, text: Text | null): void {
		this.#moments = [...this.#moments, {stateId, inForce: this.inForce, text}];
	}

	say(text: Text): void {
		this.#said = [...this.#said, text];
		this.inForce = [...this.inForce, text];
	}

	leaveOut({sources, conversations}: {sources: readonly string[]; conversations: readonly string[]}): void {
		this.inForce = this.#said.filter(({source, conversation}) => !sources.includes(source) && !conversations.includes(conversation));
	}

	goBack(stateId: number): void {
		this.inForce = this.#moments.findLast(moment => moment.stateId === stateId)!.inForce;
	}

	reset(): void {
		this.#said = [];
		this.inForce = [];
	}

	forget(isGone: (text: Text) => boolean): void {
		const left = (texts: readonly Text[]): Text[] => texts.filter(text => !isGone(text));
		this.forgotten.push(...new Set(this.#moments.flatMap(({inForce}) => inForce).filter(isGone)));
		this.#said = left(this.#said);
		this.inForce = left(this.inForce);
		this.validated &&= left(this.validated);
		this.#moments = this.#moments
			.filter(({text}) => text === null || !isGone(text))
			.map(moment => ({...moment, inForce: left(moment.inForce)}));
	}
}

/** The rows of a history of these texts alone, computed by a replay. */
export const rowsOf = (initial: StateTensor, texts: readonly Text[], kernel: Kernel): readonly Float32Array[] => {
	const rules = {kernel, authority: minimalAuthority, initial, reference: initial};
	return replay(
		rules, startReplay(rules),
		texts.map(({content}) => ({kind: 'cycle' as const, timestamp: initial.timestamp, vector: vectorOf(content)})),
	).state.rows;
};

const idOf = ({content}: Text): string => content.replaceAll(' ', '-');

/** Whether a decision is refused because it fits no texts or too few. Any other error is thrown. */
export const isRefused = async (call: Promise<unknown>): Promise<boolean> => call.then(() => false, (error: {code?: string}) => {
	if (!['input', 'baseline_too_short'].includes(error.code!)) {
		throw error;
	}

	return true;
});

export type Met = {forgot: number; refused: number; validated?: number; tooShort?: number};

/**
 * Lets questions run in the test's thread: their own ends with each forgetting, and takes 0.1 s to start. The long run
 * uses threads.
 */
export const withoutThreads = (kernel: Kernel): Kernel => isLongRun ? kernel : Object.assign(kernel, {name: `${kernel.name} of a test`});

/** Counts the passages that a journal still has after a forgetting. */
type Count = (passages: readonly Buffer[]) => Promise<number>;

let runs = 0;

/** Runs a history, and compares the state after each step with that of a history without the forgotten texts. */
export const runSteps = async (
	t: ExecutionContext, steps: readonly Step[],
	{place, kernel, count, before}: {place: () => Journal; kernel: Kernel; count?: Count; before?: () => Promise<void>}, met: Met,
): Promise<void> => {
	let journal = place();
	let {identity}: {identity: LocalIdentity} = await startIdentity({journal, kernel});
	const {initial} = identity.actor.getSnapshot().context.boot!;
	// Histories in the same place have different texts.
	const run = ++runs;
	const model = new Model();
	model.note(initial.stateId, null);
	const texts: Text[] = [];
	const say = async (text: Text): Promise<Text> => {
		await identity.cycle({...text, id: idOf(text)});
		texts.push(text);
		model.say(text);
		return text;
	};

	for (const [i, next] of steps.entries()) {
		const note = `step ${i}`;
		let text: Text | null = null;
		if (next.type === 'say') {
			text = await say({content: `What life ${run} said in step ${i}.`, source: next.source, conversation: next.conversation});
		} else if (next.type === 'talk') {
			for (let said = 0; said < 450; said++) {
				const source = said % 10 === 0 ? 'viktor' : said % 4 === 0 ? 'bo' : 'ada';
				await say({content: `What life ${run} said in step ${i}, ${said}.`, source, conversation: `visit ${Math.floor(said / 6)}`});
				model.note(identity.state().stateId, texts.at(-1)!);
			}
		} else if (next.type === 'validate') {
			const refused = await isRefused(identity.validate({note, horizon: horizons.minimum}));
			met.validated! += Number(!refused);
			model.validated = refused ? model.validated : model.inForce;
		} else if (next.type === 'reset') {
			await identity.reset();
			model.reset();
		} else if (next.type === 'restart') {
			await identity.dispose();
			journal = place();
			({identity} = await startIdentity({journal, kernel}));
		} else if (next.type === 'forget') {
			const one = next.one === null ? null : texts[next.one] ?? null;
			const {sources, conversations}: {sources: string[]; conversations: string[]} = one ? {sources: [], conversations: []} : next;
			const ids = one ? [idOf(one)] : [];
			const vectors = count && (await identity.records(1, 1000))
				.flatMap(({record}) => 'vector' in record ? [[record.content, Buffer.from(record.vector.buffer)] as const] : []);
			await before?.();
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
		deepEqual(t, Object.values(dimensions), rowsOf(initial, model.inForce, kernel), note);
		model.note(stateId, text);
		const validation = await journal.validation();
		if (model.validated && validation) {
			deepEqual(t, validation.anchor.thirdness, rowsOf(initial, model.validated, kernel)[2], `${note}: the state that is validated`);
			const gone = new Set(model.forgotten.map(idOf));
			t.deepEqual(validation.texts.filter(({id}) => gone.has(id!)), [], `${note}: a baseline without what was forgotten`);
		} else {
			t.is(validation, null, note);
			met.tooShort! += Number(model.validated !== null);
			model.validated = null;
		}
	}

	await identity.dispose();
};
