/**
 * Questions about drift: did the identity move by more than chance, and because of whom? An answer is cached until the
 * state has moved on. Callers share a computation under way.
 */
import type {Drift, DriftRequest, Sources as SourcesReport, Uptake} from '../generated/types.ts';
import {deepFreeze} from '../platform/immutable.ts';
import {describeDrift, describeSources, describeUptake, type DriftReport} from '../instruments/describe-drift.ts';
import {selectReadable} from '../instruments/scaled-profile.ts';
import type {ChartMoment} from '../instruments/drift/chart.ts';
import {completeDrift} from '../instruments/run-drift.ts';
import type {BootResult} from '../actors/boot-steps.ts';
import type {ReadyContext} from '../actors/process-context.ts';
import {factsOf} from '../journal/validation.ts';
import type {Moment} from '../instruments/past/find-moment.ts';
import type {Past} from '../instruments/past/past.ts';
import type {TurnOptions} from '../instruments/past/turns.ts';
import {SharedWork} from '../platform/waiting.ts';

export type DriftDeps = {
	readonly past: Past;
	/** The identity's present. @throws {UnavailableError} before it is ready, and after its end */
	readonly getContext: () => Pick<ReadyContext, 'state' | 'validation' | 'revision'> & {readonly boot: Pick<BootResult, 'directions'>};
	/** Counts a source's echoes: texts that are nearly the identity's own words. Null while they are not watched. @default not watched */
	readonly countEchoes?: (source: string) => number | null;
};

/** A cached answer serves until this many cycles have moved the state; fewer if it covers a short past. */
const maxStale = 20;

/** Cached answers, each since a different moment. */
const maxKept = 4;

type Kept<Answer> = {readonly basis: string; readonly records: number; readonly work: SharedWork<Answer>; answer?: Answer};

export class DriftQuestions {
	readonly #deps: DriftDeps;
	readonly #reports = new Map<string, Kept<DriftReport>>();

	constructor(deps: DriftDeps) {
		this.#deps = deps;
	}

	/** Drops the cached answers after a forgetting: they quote texts, and name sources. */
	forget(): void {
		this.#reports.clear();
	}

	/** How far the identity moved, and whether chance explains it. @throws whatever {@link Past.ask} throws */
	async drift({since}: DriftRequest, signal?: AbortSignal): Promise<Drift> {
		return deepFreeze(describeDrift(await this.#report(since, signal)));
	}

	/** Whose texts make up the movement. @throws whatever {@link Past.ask} throws */
	async sources({since}: DriftRequest, signal?: AbortSignal): Promise<SourcesReport> {
		return deepFreeze(describeSources(await this.#report(since, signal), this.#deps.countEchoes));
	}

	/** Whose way of speaking the identity took up. @throws whatever {@link Past.ask} throws */
	async uptake({since}: DriftRequest, signal?: AbortSignal): Promise<Uptake> {
		return deepFreeze(describeUptake(await this.#report(since, signal)));
	}

	/** The chart of `heard` after each of the newest conversations since the validation, oldest first. Empty without a validation. */
	async chartTrail(signal?: AbortSignal): Promise<readonly ChartMoment[]> {
		// The question for the history is already accepted, so a full queue must not refuse this part of it.
		return this.#deps.getContext().validation === null ? [] : (await this.#report(null, signal, {isRefusable: false})).result.trail;
	}

	async #report(since: Moment | null | undefined, signal?: AbortSignal, options?: TurnOptions): Promise<DriftReport> {
		const key = String(since ?? '');
		const basis = this.#basis();
		const kept = this.#reports.get(key);
		if (kept?.basis === basis && this.#isFresh(kept)) {
			return kept.work.wait(signal);
		}

		const fresh: Kept<DriftReport> = {basis, records: this.#deps.past.records, work: new SharedWork(async end => {
			try {
				const answer = await this.#compute(since, {...options, signal: end});
				fresh.answer = answer;
				return answer;
			} catch (error) {
				// A failed computation is not cached. A newer one under the same key stays.
				if (this.#reports.get(key) === fresh) {
					this.#reports.delete(key);
				}

				throw error;
			}
		})};
		this.#reports.delete(key);
		this.#reports.set(key, fresh);
		for (const oldest of [...this.#reports.keys()].slice(0, -maxKept)) {
			this.#reports.delete(oldest);
		}

		return fresh.work.wait(signal);
	}

	/** Every answer depends on the validation and the revision. */
	#basis(): string {
		const {validation, revision} = this.#deps.getContext();
		return `${validation?.id} ${revision?.id}`;
	}

	/**
	 * Whether an answer is under way, or recent enough. A reset reuses ids and adds only one record, so the ids must not
	 * have fallen, nor have risen by more than the records.
	 */
	#isFresh({records, work, answer}: Kept<DriftReport>): boolean {
		if (!answer) {
			return !work.isAbandoned;
		}

		const {result: {to, cycles}} = answer;
		const moved = this.#deps.getContext().state.stateId - to.stateId;
		const added = this.#deps.past.records - records;
		return moved >= 0 && moved <= added && added < Math.max(1, Math.min(maxStale, cycles / 20));
	}

	async #compute(since: Moment | null | undefined, options: TurnOptions): Promise<DriftReport> {
		const {past, getContext} = this.#deps;
		const validation = await past.validation(options.signal);
		const directions = selectReadable(getContext().boot.directions);
		const sketched = await past.askDrift(
			{validation, directions: directions.map(({vector}) => vector!), since: since ?? null}, options,
		);
		const result = await completeDrift(sketched, async seq => past.readCycle(seq));
		// The answer is cached, and does not need the validation's texts.
		return {result, validation: validation && factsOf(validation), directions};
	}
}
