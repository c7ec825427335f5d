/**
 * Metrics: counts since the start or the last reset (`docs/spec/numerics.md#metrics`).
 *
 * Memory is bounded at any load: the last hour is stored as one count per second, so its figures are exact to a second.
 */
import type {Time} from '../platform/clock.ts';
import type {Level} from '../semiosis/vigilance.ts';

type Second = {second: number; cycles: number; critical: number; warning: number};

const hour = 3600;

export class Metrics {
	readonly #time: Time;
	#start: number;
	#totalCycles = 0;
	/** The seconds of the last hour with cycles, oldest first. */
	#seconds: Second[] = [];

	constructor(time: Time) {
		this.#time = time;
		this.#start = time.elapsed();
	}

	/** Counts a cycle, by the level of the drift check after it. */
	recordCycle(level: Level): void {
		this.#forget();
		const second = Math.floor(this.#now());
		let last = this.#seconds.at(-1);
		if (last?.second !== second) {
			last = {second, cycles: 0, critical: 0, warning: 0};
			this.#seconds.push(last);
		}

		this.#totalCycles++;
		last.cycles++;
		if (level !== 'ok') {
			last[level]++;
		}
	}

	reset(): void {
		this.#start = this.#time.elapsed();
		this.#totalCycles = 0;
		this.#seconds = [];
	}

	read() {
		this.#forget();
		const sum = (what: 'cycles' | Exclude<Level, 'ok'>): number => this.#seconds.reduce((total, second) => total + second[what], 0);
		const alerts = {critical: sum('critical'), warning: sum('warning')};
		return {
			status: statusOf(alerts),
			uptimeHours: (this.#time.elapsed() - this.#start) / 1000 / hour,
			totalCycles: this.#totalCycles,
			cyclesLastHour: sum('cycles'),
			alerts,
		};
	}

	#now(): number {
		return this.#time.elapsed() / 1000;
	}

	#forget(): void {
		const oldest = this.#now() - hour;
		while (this.#seconds.length > 0 && this.#seconds[0]!.second < Math.floor(oldest)) {
			this.#seconds.shift();
		}
	}
}

const statusOf = ({critical, warning}: {critical: number; warning: number}): 'critical' | 'warning' | 'healthy' =>
	critical > 0 ? 'critical' : warning > 2 ? 'warning' : 'healthy';
