/**
 * The watch on live cycles: the chart and the echo guard of the newest validation. It begins from the
 * journal, in a thread, and takes in each durable cycle after its answer. Without a validation
 * there is nothing to watch, and a cycle costs nothing more.
 */
import type {Drift} from '../generated/types.ts';
import type {JournalPort, MachineDeps} from '../actors/deps.ts';
import type {Time, Timers} from '../platform/clock.ts';
import {deepFreeze} from '../platform/immutable.ts';
import type {Encoder} from '../embedding/encoder.ts';
import {reasonOf, type Warn} from '../platform/errors.ts';
import {ownSource} from '../instruments/echo-guard.ts';
import {sourceOf} from '../instruments/source-of.ts';
import type {WatchNotice} from '../instruments/watch-notices.ts';
import {Watcher} from '../instruments/watcher.ts';
import type {CycleRecord, Validation} from '../journal/journal.ts';
import type {Kernel} from '../kernel/kernel.ts';
import type {Life} from '../instruments/past/past.ts';
import type {Questions} from '../instruments/past/questions.ts';
import {separateKernel} from '../kernel/select.ts';
import type {StateTensor} from '../kernel/state-tensor.ts';
import type {ProcessActor} from './pending-requests.ts';
import type {WatchView} from './views.ts';
import type {WatchOptions} from './options.ts';

/** What a watch works with. */
export type WatchDeps = Required<WatchOptions> & Pick<MachineDeps, 'recordListeners'> & {
	journal: JournalPort | null;
	kernel: Kernel;
	/** Where a watch begins. */
	questions: Questions;
	encoder: Pick<Encoder, 'embed'>;
	time: Time;
	/** They time the end of a visit. */
	timers: Timers;
	/** What the identity lives by, once it is ready. */
	getLife: () => Life & {state: StateTensor};
	notify: (notice: WatchNotice) => void;
	warn: Warn;
};

/** More cycles than this during a start begin it again: their vectors would fill the memory. */
const maxCollected = 5000;

/** At this p or below a drift is unusual, and its sources are looked at. */
const unusualP = 0.05;

/** All watches share one place in the line: while a service opens a thousand identities, it still answers questions. */
const watches = {};

export class Watch {
	readonly #deps: WatchDeps;
	#watcher: Watcher | null = null;
	/** Whether sources are hashed, and triggers stand for them. */
	#isHashed = false;
	/** Durable cycles that are not watched yet; null while there is nothing to watch. */
	#waiting: CycleRecord[] | null = null;
	#isScheduled = false;
	#timer: unknown = null;
	#end = new AbortController();
	#drift: WatchView['drift'] = null;
	/** Sources that were noticed and still bring more than the budget. */
	#noticed: ReadonlySet<string> = new Set();

	constructor(deps: WatchDeps) {
		this.#deps = deps;
	}

	/** Watches what the process does from now on, until it ends. */
	follow(actor: ProcessActor): void {
		const {recordListeners} = this.#deps;
		const hear = (record: CycleRecord) => {
			this.take(record);
		};

		recordListeners.add(hear);
		const forget = () => {
			recordListeners.delete(hear);
		};

		actor.subscribe({complete: forget, error: forget});
		for (const changed of ['identity.validated', 'journal.recovered'] as const) {
			actor.on(changed, () => {
				this.restart();
			});
		}

		actor.on('translation.done', ({id, translation: {text}}) => {
			void this.takeTranslation(id, text);
		});
	}

	/** Null while there is nothing to watch. */
	view(): WatchView | null {
		const watcher = this.#watcher;
		return watcher && deepFreeze({readings: watcher.readings.map(reading => ({...reading})), isAlarm: watcher.isAlarm, drift: this.#drift});
	}

	/** How many echoes a source has brought since the watch began; null while nothing is watched. */
	countEchoes(source: string): number | null {
		return this.#watcher && (this.#watcher.echoes.get(source) ?? 0);
	}

	/** Begins with the newest validation: when the identity is ready, when it was validated, and when its journal was opened again. */
	restart(): void {
		const {journal, warn} = this.#deps;
		this.close();
		if (!journal) {
			return;
		}

		this.#end = new AbortController();
		const {signal} = this.#end;
		this.#start(journal, signal).catch((error: unknown) => {
			if (!signal.aborted) {
				this.#waiting = null;
				warn(`Drift is not watched until the next start or validation: ${reasonOf(error)}`, error);
			}
		});
	}

	/** Takes a cycle that is durable. */
	take(record: CycleRecord): void {
		if (this.#waiting === null) {
			return;
		}

		this.#waiting.push(record);
		if (this.#watcher) {
			this.#schedule();
		} else if (this.#waiting.length > maxCollected) {
			this.restart();
		}
	}

	/** Takes a translation, which is the identity's own. */
	async takeTranslation(id: string, text: string): Promise<void> {
		const watcher = this.#watcher;
		if (!watcher) {
			return;
		}

		try {
			const timestamp = new Date(this.#deps.time.now()).toISOString();
			watcher.addOwn({id, timestamp, vector: await this.#deps.encoder.embed(text)});
		} catch (error) {
			this.#deps.warn(`Echoes of a translation are not watched: ${reasonOf(error)}`, error);
		}
	}

	/** Takes a drift since the validation that was computed. */
	takeDrift({p, netMrad, expectedMrad, sources}: Drift): void {
		const {sourceBudget: budget, notify} = this.#deps;
		this.#drift = {p, netMrad, expectedMrad};
		const over = p !== null && p <= unusualP ? sources.filter(({unusualShare}) => unusualShare !== null && unusualShare >= budget) : [];
		const before = this.#noticed;
		this.#noticed = new Set(over.map(({source}) => source));
		for (const {source, unusualShare} of over) {
			if (!before.has(source)) {
				notify(Object.freeze({type: 'source.noticed', source, unusualShare: unusualShare!, budget}));
			}
		}
	}

	/** Ends the watch. */
	close(): void {
		this.#end.abort();
		this.#deps.timers.clearTimeout(this.#timer);
		this.#timer = null;
		this.#watcher = null;
		this.#waiting = null;
		this.#drift = null;
		this.#noticed = new Set();
	}

	async #start(journal: JournalPort, signal: AbortSignal): Promise<void> {
		const {kernel, questions} = this.#deps;
		const validation = await journal.validation();
		// Every cycle whose record is durable by now has been taken.
		await new Promise(resolve => {
			setTimeout(resolve);
		});
		signal.throwIfAborted();
		if (!validation) {
			return;
		}

		this.#waiting = [];
		const records = {journal, to: journal.records};
		const start = await questions.run(
			watches, async (threads, either) => threads.run(kernel, {name: 'watch', ...this.#ask(validation)}, records, either),
			{signal, isRefusable: false, isUnbounded: true},
		);
		signal.throwIfAborted();
		const ordinary = validation.texts.flatMap(({source, vector}) => source === ownSource ? [] : [vector]);
		this.#isHashed = validation.baseline.sources === null;
		this.#watcher = new Watcher(start, ordinary, () => separateKernel(kernel));
		this.#schedule();
	}

	#ask({seq, texts}: Validation) {
		const {driftRunLength: averageRunLength, getLife} = this.#deps;
		const {authority, initial, reference, state} = getLife();
		return {question: {validation: {seq, texts}, averageRunLength}, authority, initial, reference, from: {seq, state, cumulativeDrift: 0}};
	}

	/** The answers come first. */
	#schedule(): void {
		if (!this.#isScheduled) {
			this.#isScheduled = true;
			setTimeout(() => {
				this.#isScheduled = false;
				this.#takeWaiting();
			});
		}
	}

	#takeWaiting(): void {
		const watcher = this.#watcher;
		if (!watcher) {
			return;
		}

		for (const {id, timestamp, trigger, metadata, origin, vector} of this.#waiting!.splice(0)) {
			const source = this.#isHashed ? trigger : sourceOf({trigger, metadata, isHashed: false});
			this.#notify(watcher.take({id, source, time: Date.parse(timestamp), vector, isDaemons: origin === 'daemon'}));
		}

		this.#timeVisit(watcher);
	}

	/** A visit ends by a pause too. One timer is set for the latest visit, and set again where that went on. */
	#timeVisit(watcher: Watcher): void {
		const {time, timers} = this.#deps;
		const {endsAt} = watcher;
		if (this.#timer !== null || endsAt === null) {
			return;
		}

		this.#timer = timers.setTimeout(() => {
			this.#timer = null;
			if (watcher.endsAt !== null && time.now() > watcher.endsAt) {
				this.#notify(watcher.endVisit());
			}

			this.#timeVisit(watcher);
		}, Math.max(0, endsAt - time.now()) + 1);
	}

	#notify(notices: readonly WatchNotice[]): void {
		for (const notice of notices) {
			this.#deps.notify(deepFreeze(notice));
		}
	}
}
