/**
 * Watches a running life: takes its texts one by one, from where an earlier watch or the journal left
 * off, and gives what is to be noticed. An alarm is given once, until the reading has been within its
 * limit again.
 */
import type {Kernel} from '../kernel/kernel.ts';
import {addVisit, type Reading} from './chart.ts';
import {EchoGuard, ownSource, type OwnOutput} from './echo-guard.ts';
import {gatherVisits, type EndedVisit, type VisitText} from './gather-visits.ts';
import type {WatchStart} from './run-watch.ts';
import {blameSources, nearestAlarm} from './visit-chart.ts';
import {maxPauseMs} from './visits.ts';
import {projectWith, type Project} from './whitener.ts';
import type {WatchNotice} from './watch-notices.ts';

/** A text that moved the state. */
export type WatchedText = VisitText & {
	/** Whether the daemon said it to itself: such a text is no echo. */
	readonly isDaemons: boolean;
};

export class Watcher {
	readonly #echoGuard: EchoGuard;
	readonly #project: Project;
	readonly #visits: ReturnType<typeof gatherVisits>;
	#chart: WatchStart['chart'];
	/** How many echoes each source has brought. */
	readonly echoes = new Map<string, number>();

	/**
	 * @param ordinary The vectors of the baseline's texts that are not the identity's own.
	 * @param makeKernel Makes a kernel that no other search uses.
	 */
	constructor({chart, own}: WatchStart, ordinary: readonly Float32Array[], makeKernel: () => Kernel) {
		this.#chart = chart;
		this.#visits = gatherVisits(chart?.open);
		this.#project = projectWith(makeKernel());
		this.#echoGuard = new EchoGuard(ordinary, makeKernel);
		for (const output of own) {
			this.addOwn(output);
		}
	}

	/** The chart after the visits that have ended; none for a baseline that says too little. */
	get readings(): readonly Reading[] {
		return this.#chart?.position.readings ?? [];
	}

	/** Whether a reading is above its limit. */
	get isAlarm(): boolean {
		return this.readings.some(({reading, limit}) => reading > limit);
	}

	/** When the visit that may go on will be over unless its source says more; null without one. */
	get endsAt(): number | null {
		const open = this.#visits.open();
		return open && open.time + maxPauseMs;
	}

	take(text: WatchedText): WatchNotice[] {
		return [...this.#takeVisit(this.#visits.take(text)), ...this.#takeEcho(text)];
	}

	/** Ends the visit that may go on. */
	endVisit(): WatchNotice[] {
		return this.#takeVisit(this.#visits.end());
	}

	/** Remembers something that the identity said. */
	addOwn(output: OwnOutput): void {
		this.#echoGuard.add(output);
	}

	#takeVisit(ended: EndedVisit | null): WatchNotice[] {
		if (!ended || !this.#chart) {
			return [];
		}

		const wasAlarm = this.isAlarm;
		const {calibration} = this.#chart;
		const position = addVisit(calibration, this.#chart.position, ended.vectors, ended.visit, this.#project);
		this.#chart = {...this.#chart, position};
		if (wasAlarm || !this.isAlarm) {
			return [];
		}

		const place = nearestAlarm(position.readings);
		const {from, to, ...visit} = ended.visit;
		return [{
			type: 'drift.alarm',
			...position.readings[place]!,
			visit: {...visit, from: new Date(from).toISOString(), to: new Date(to).toISOString()},
			blame: blameSources(calibration, position, place).map(({source, share}) => ({source, share})),
			averageRunLength: calibration.averageRunLength,
		}];
	}

	#takeEcho({id, source, time, vector, isDaemons}: WatchedText): WatchNotice[] {
		if (source === ownSource) {
			this.addOwn({id, timestamp: new Date(time).toISOString(), vector});
			return [];
		}

		const echo = isDaemons ? null : this.#echoGuard.check(vector);
		if (!echo) {
			return [];
		}

		this.echoes.set(source, (this.echoes.get(source) ?? 0) + 1);
		return [{type: 'echo.noticed', id, source, ...echo}];
	}
}
