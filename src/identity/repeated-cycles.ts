/**
 * Cycles with an id from their caller: a repeated request gets the answer of the first.
 *
 * A cycle under way is joined. A finished one is found in the journal until its record is compacted; without a journal,
 * among the newest {@link maxKept}. A failed one has no record, so its id may be used again.
 */
import {resultOf} from '../actors/cycle.ts';
import {sha256} from '../instruments/describe-forgetting.ts';
import {toCanonicalJson} from '../journal/json.ts';
import type {StoredCycle, StoredHeld} from '../journal/journal.ts';
import {InputError} from '../platform/errors.ts';
import {withSignal} from '../platform/waiting.ts';
import type {CheckedRequest} from './cycle-request.ts';
import type {CycleAnswer} from './views.ts';

/** Answers kept without a journal. */
const maxKept = 1000;

type KeyedRequest = Omit<CheckedRequest, 'id'> & {id: string};

/** The original request. If it is hashed, content and metadata are SHA-256 in hexadecimal, as in {@link StoredCycle}. */
type Asked = Pick<StoredCycle, 'isHashed' | 'trigger' | 'content' | 'metadata'>;

type Done = {asked: Asked; answer: CycleAnswer};

type UnderWay = {asked: Asked; answer: Promise<CycleAnswer>; signal: AbortSignal | undefined};

export class RepeatedCycles {
	readonly #find: ((id: string) => Promise<StoredCycle | StoredHeld | null>) | null;
	readonly #underWay = new Map<string, UnderWay>();
	/** Without a journal: finished cycles, oldest first. */
	readonly #kept = new Map<string, Done>();
	/** The look-ups under way; null if there are none. */
	#lookUps: Promise<unknown> | null = null;

	/** @param find Finds a cycle in the journal; null without a journal. */
	constructor(find: ((id: string) => Promise<StoredCycle | StoredHeld | null>) | null) {
		this.#find = find;
	}

	/** Calls at once, or after the look-ups under way, so that calls keep their order. */
	async inOrder<Answer>(call: () => Promise<Answer>): Promise<Answer> {
		if (this.#lookUps) {
			await this.#lookUps;
		}

		return call();
	}

	/**
	 * Returns the answer of the cycle with this id, and calls `run` if there is none.
	 *
	 * @throws {InputError} when the id belongs to a different request
	 */
	async answerTo(request: KeyedRequest, run: () => Promise<CycleAnswer>, signal: AbortSignal | undefined): Promise<CycleAnswer> {
		const {id} = request;
		for (let first = this.#underWay.get(id); first; first = this.#underWay.get(id)) {
			await requireSame(request, first.asked);
			try {
				return asReplayed(await withSignal(first.answer, signal));
			} catch (error) {
				signal?.throwIfAborted();
				// If the first caller cancelled its request, this one takes its place.
				if (!first.signal?.aborted) {
					throw error;
				}
			}
		}

		const answer = this.#answerFirst(request, run).finally(() => this.#underWay.delete(id));
		this.#underWay.set(id, {asked: {isHashed: false, ...request}, answer, signal});
		return answer;
	}

	async #answerFirst(request: KeyedRequest, run: () => Promise<CycleAnswer>): Promise<CycleAnswer> {
		const {id} = request;
		const find = this.#find;
		if (find) {
			return this.#lookUp(
				async () => find(id), async found => found ? replay(request, {asked: found, answer: {id, ...resultOf(found)}}) : run(),
			);
		}

		const done = this.#kept.get(id);
		if (done) {
			return replay(request, done);
		}

		const answer = await run();
		this.#kept.set(id, {asked: await hashed(request), answer});
		if (this.#kept.size > maxKept) {
			this.#kept.delete(this.#kept.keys().next().value!);
		}

		return answer;
	}

	/** Look-ups run in parallel; their results are used in the order of the calls. */
	async #lookUp<Found, Answer>(find: () => Promise<Found>, use: (found: Found) => Promise<Answer>): Promise<Answer> {
		// Keeps no result of earlier look-ups: in an unbroken chain they would all stay in memory.
		const settled = Promise.allSettled([find(), this.#lookUps] as const).then(([found]) => found);
		this.#lookUps = settled;
		return settled.then(async found => {
			if (this.#lookUps === settled) {
				this.#lookUps = null;
			}

			if (found.status === 'rejected') {
				throw found.reason;
			}

			return use(found.value);
		});
	}
}

const asReplayed = (answer: CycleAnswer): CycleAnswer => Object.freeze({...answer, isReplayed: true});

const replay = async (request: KeyedRequest, {asked, answer}: Done): Promise<CycleAnswer> => {
	await requireSame(request, asked);
	return asReplayed(answer);
};

/** @throws {InputError} when a request differs from the first one under its id; the order of keys in the metadata does not matter */
const requireSame = async (request: KeyedRequest, asked: Asked): Promise<void> => {
	const {trigger, content, metadata} = asked.isHashed ? await hashed(request) : {...request, content: request.content.toWellFormed()};
	if (
		trigger !== asked.trigger
		|| content !== asked.content.toWellFormed()
		|| (toCanonicalJson(metadata) !== toCanonicalJson(asked.metadata)
			&& asked.metadata !== (await sha256(JSON.stringify(request.metadata))))
	) {
		throw new InputError(
			`The id “${request.id}” belongs to a cycle with another content, trigger or metadata. Give another text another id; to repeat a `
				+ `request, send the same again.`,
		);
	}
};

const hashed = async ({content, trigger, metadata}: KeyedRequest): Promise<Asked> =>
	({isHashed: true, trigger, content: await sha256(content), metadata: await sha256(toCanonicalJson(metadata))});
