/**
 * Questions whether an identity moved by more than chance, and because of whom. Twins are expensive, so
 * an answer is kept until the state has moved on, and one under way is waited for.
 */
import type {Drift, DriftRequest, Sources as SourcesReport} from '../generated/types.ts';
import {deepFreeze} from '../platform/immutable.ts';
import {describeDrift, describeSources, type DriftReport} from '../instruments/describe-drift.ts';
import type {ChartMoment} from '../instruments/run-chart.ts';
import {toTell} from '../instruments/readable.ts';
import type {Noise} from '../instruments/scaled-profile.ts';
import type {Validation, ValidationFacts} from '../journal/journal.ts';
import type {Moment, Place} from '../instruments/past/find-moment.ts';
import type {Past} from '../instruments/past/past.ts';
import {keyOf, type Direction} from '../semiosis/profile.ts';
import type {StateTensor} from '../kernel/state-tensor.ts';
import {SharedWork} from '../platform/waiting.ts';

/** What the questions work with. */
export type DriftDeps = {
	readonly past: Past;
	/** What the identity is now. @throws {UnavailableError} before and after it is ready */
	readonly getPresent: () => {
		readonly state: StateTensor; readonly validation: Pick<ValidationFacts, 'id'> | null; readonly initial: StateTensor;
		readonly directions: readonly Direction[];
	};
	/** After how many visits of ordinary talk an alarm comes by chance, on average. */
	readonly averageRunLength: number;
	/** The part of the difference at which a source is noticed. */
	readonly budget: number;
	/** How many texts of a source were nearly the identity's own words; null where that is not watched. @default not watched */
	readonly countEchoes?: (source: string) => number | null;
	/** Called with each drift since the validation that is computed. */
	readonly onDrift?: (drift: Drift) => void;
};

/** The present reading of the chart is made of as many visits. */
const presentVisits = 400;

/** A history has readings of as many visits. They take up to two seconds. */
const historyVisits = 2000;

/** An answer is given again until the state has moved by as many cycles. */
const maxStale = 20;

/** How many answers are kept, each since another moment. */
const maxKept = 4;

/** An answer, and what it was made of. */
type Kept<Answer> = {readonly validation: string | null; readonly records: number; readonly work: SharedWork<Answer>; answer?: Answer};

export class DriftQuestions {
	readonly #deps: DriftDeps;
	readonly #reports = new Map<string, Kept<DriftReport>>();
	#trail: Kept<readonly ChartMoment[]> | null = null;
	#noise: {readonly validation: string; readonly values: Noise} | null = null;

	constructor(deps: DriftDeps) {
		this.#deps = deps;
	}

	/** How far it moved, and whether chance explains it. Throws as {@link Past.ask} does. */
	async drift({since}: DriftRequest, signal?: AbortSignal): Promise<Drift> {
		return deepFreeze(describeDrift(await this.#report(since, signal)));
	}

	/** Whose texts it is made of. Throws as {@link Past.ask} does. */
	async sources({since}: DriftRequest, signal?: AbortSignal): Promise<SourcesReport> {
		const {budget, countEchoes} = this.#deps;
		return deepFreeze(describeSources(await this.#report(since, signal), budget, countEchoes));
	}

	/** The chart after each of the newest visits since the validation, oldest first; none without one. */
	async chartTrail(signal?: AbortSignal): Promise<readonly ChartMoment[]> {
		const {past, averageRunLength} = this.#deps;
		const id = this.#validationId();
		if (id === null) {
			return [];
		}

		const {records} = past;
		if (this.#trail?.validation === id && records - this.#trail.records < maxStale && !this.#trail.work.isAbandoned) {
			return this.#trail.work.wait(signal);
		}

		const trail: Kept<readonly ChartMoment[]> = {validation: id, records, work: new SharedWork(async end => {
			try {
				const validation = await past.validation(end);
				// A part of a history that was taken on: a full line does not refuse it.
				const asked = {ordinary: validation!, averageRunLength, visits: historyVisits};
				const {answer} = await past.ask('chart', asked, {from: this.#anchorOf(validation!)}, {signal: end, isRefusable: false});
				return answer.chart?.trail ?? [];
			} catch (error) {
				// What failed is asked again; a newer one stays.
				this.#trail = this.#trail === trail ? null : this.#trail;
				throw error;
			}
		})};
		this.#trail = trail;
		return trail.work.wait(signal);
	}

	/** What chance does to the value of each direction on thirdness, by key; null until twins were computed. */
	noise(): Noise | null {
		return this.#noise?.validation === this.#validationId() ? this.#noise!.values : null;
	}

	async #report(since: Moment | null | undefined, signal?: AbortSignal): Promise<DriftReport> {
		const key = String(since ?? '');
		const validation = this.#validationId();
		const kept = this.#reports.get(key);
		if (kept?.validation === validation && this.#isFresh(kept)) {
			return kept.work.wait(signal);
		}

		const fresh: Kept<DriftReport> = {validation, records: this.#deps.past.records, work: new SharedWork(async end => {
			try {
				const answer = await this.#compute(since, end);
				fresh.answer = answer;
				return answer;
			} catch (error) {
				// What failed is asked again; a newer one stays.
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

	#validationId(): string | null {
		return this.#deps.getPresent().validation?.id ?? null;
	}

	/** Whether an answer is under way, or of nearly the present state. A reset gives ids again, and is one record. */
	#isFresh({records, work, answer}: Kept<DriftReport>): boolean {
		if (!answer) {
			return !work.isAbandoned;
		}

		const {result: {to, cycles}} = answer;
		const moved = this.#deps.getPresent().state.stateId - to.stateId;
		const added = this.#deps.past.records - records;
		return moved >= 0 && moved <= added && added < Math.max(1, Math.min(maxStale, cycles / 20));
	}

	async #compute(since: Moment | null | undefined, signal: AbortSignal): Promise<DriftReport> {
		const {past, getPresent, averageRunLength, onDrift} = this.#deps;
		const validation = await past.validation(signal);
		const directions = toTell(getPresent().directions);
		const anchor = validation && this.#anchorOf(validation);
		const {answer: result} = await past.ask(
			'drift', {ordinary: validation, directions: directions.map(({vector}) => vector!)}, {from: since ?? anchor ?? 'beginning'},
			{signal},
		);
		const asked = {ordinary: validation!, averageRunLength, visits: presentVisits};
		const chart = anchor && (await past.ask('chart', asked, {from: anchor}, {signal, isRefusable: false})).answer;
		const report = {result, validation, directions, chart, averageRunLength};
		if (since == null && result.chance) {
			this.#noise = {
				validation: validation!.id, values: new Map(result.chance.moved.map(({deviation}, i) => [keyOf(directions[i]!), deviation])),
			};
			onDrift?.(describeDrift(report));
		}

		return report;
	}

	#anchorOf({seq, stateId, anchor: {timestamp, thirdness}}: Validation): Place {
		return {seq, state: this.#deps.getPresent().initial.withThirdness(stateId, timestamp, thirdness), cumulativeDrift: 0};
	}
}
