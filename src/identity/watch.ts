/**
 * Watches live cycles with the chart and the echo guard of the newest validation. It starts from the journal, in a
 * thread, and takes each durable cycle after its answer. Without a validation there is nothing to watch, and cycles
 * cost nothing extra.
 */
import type {JournalPort, MachineDeps} from '../actors/deps.ts';
import type {ReadyContext} from '../actors/process-context.ts';
import {timestampOf, type Timers} from '../platform/clock.ts';
import {deepFreeze} from '../platform/immutable.ts';
import {isOutage, reasonOf} from '../platform/errors.ts';
import {waitAtMost, withSignal} from '../platform/waiting.ts';
import type {FleetWatch} from '../instruments/fleet.ts';
import {toBaselineText} from '../instruments/drift/baseline.ts';
import {maxPauseMs} from '../instruments/drift/conversations.ts';
import {Watcher, type Watched} from '../instruments/watcher.ts';
import type {CycleRecord} from '../journal/journal.ts';
import type {BaselineText} from '../journal/validation.ts';
import {isRevision} from '../journal/revision.ts';
import {runAccepted} from '../instruments/past/questions.ts';
import {basisOf, readKeptMonitor, watchJobOf} from '../instruments/past/kept-monitor.ts';
import {separateKernel} from '../kernel/select.ts';
import type {ProcessActor} from './pending-requests.ts';
import {GuardKnowledge, maxWaitMs} from './guard-knowledge.ts';
import {NoticedSources, type SourcesDeps} from './noticed-sources.ts';
import {viewOf, type WatchView} from './watch-view.ts';

export type WatchDeps = SourcesDeps & Pick<
	MachineDeps, 'recordListeners' | 'standings' | 'journal' | 'kernel' | 'questions' | 'encoder' | 'time'
> & {
	/** Time the end of conversations. */
	timers: Timers;
	/** Available once the identity is ready. */
	getContext: () => Pick<ReadyContext, 'boot'>;
};

/** If more cycles arrive during a start, it is restarted: their vectors would fill the memory. */
const maxCollected = 5000;

export class Watch {
	readonly #deps: WatchDeps;
	#watcher: Watcher | null = null;
	/** Whether the journal hashes sources, so that triggers stand in for them. */
	#isHashed = false;
	/** Durable cycles that the watch has not taken yet; null while there is nothing to watch. */
	#waiting: CycleRecord[] | null = null;
	#isScheduled = false;
	#timer: unknown = null;
	#end = new AbortController();
	/** Resolves when the past is read, or reading it failed. */
	#beginning = Promise.resolve();
	/** Whether the watch must restart with the next text: it missed imported texts, or an outage kept it from starting. */
	#isBehind = false;
	/** Conversations that a pause ended before this time are no news; milliseconds since the epoch, null before the first start. */
	#endsNoticed: number | null = null;
	readonly #sources: NoticedSources;
	readonly #guard: GuardKnowledge;
	/** Called when the watch's findings may have changed. */
	readonly changeListeners = new Set<() => void>();

	constructor(deps: WatchDeps) {
		this.#deps = deps;
		this.#sources = new NoticedSources(deps);
		this.#guard = new GuardKnowledge(deps.standings, {
			timers: deps.timers,
			pOf: source => this.#sources.pOf(source),
			read: text => this.#read({...text, timestamp: timestampOf(deps.time)}),
			isBehind: () => this.#isBehind,
			restart: () => this.restart(),
		});
	}

	/** Watches a process from now until it ends. */
	follow(actor: ProcessActor): void {
		const {recordListeners} = this.#deps;
		const hear = (record: CycleRecord) => this.take(record);
		recordListeners.add(hear);
		const forget = () => recordListeners.delete(hear);
		actor.subscribe({complete: forget, error: forget});
		for (const changed of ['identity.validated', 'identity.revised'] as const) {
			actor.on(changed, () => {
				this.#sources.clear({isRevision: changed === 'identity.revised'});
				this.#guard.watcher = null;
				this.restart();
			});
		}

		actor.on('journal.recovered', () => this.restart());
		actor.on('reset.done', () => {
			this.#takeWaiting();
			this.#watcher?.reset();
		});
		actor.on('translation.done', ({id, translation: {text}}) => {
			void this.takeTranslation(id, text);
		});
	}

	/** The watch as a fleet shows it; undefined while it starts or if that failed, null if there is nothing to watch. */
	describe(isValidated: boolean): FleetWatch | null | undefined {
		const {top: topSource, noticed} = this.#sources;
		const described = this.#waiting?.length === 0 ? this.#watcher?.describe() : undefined;
		return isValidated && this.#deps.journal ? described && {...described, noticed, ...(topSource !== undefined && {topSource})} : null;
	}

	/** The watch as a reader sees it; null while it starts, and if there is nothing to watch. */
	view(): WatchView | null {
		return this.#watcher && viewOf(this.#watcher);
	}

	/** The watcher; null while it starts, and if there is nothing to watch. */
	get watcher(): Pick<Watcher, 'echoes' | 'readTalk'> | null {
		return this.#watcher;
	}

	/** Waits for the watcher to read the past after a start; null if there is nothing to watch, or if it is not ready in time. */
	async begun(signal?: AbortSignal): Promise<Watch['watcher']> {
		await withSignal(waitAtMost(this.#beginning, maxWaitMs, this.#deps.timers), signal);
		return this.watcher;
	}

	/** Starts from the newest validation: when the identity is ready, validated or revised, and when its journal has recovered. */
	restart(): void {
		const {journal, warn} = this.#deps;
		this.close();
		this.#isBehind = false;
		if (!journal) {
			this.#guard.end();
			return;
		}

		this.#end = new AbortController();
		this.#guard.begin();
		const {signal} = this.#end;
		this.#beginning = this.#start(journal, signal).then(() => this.#guard.end(), (error: unknown) => {
			if (!signal.aborted) {
				this.#waiting = null;
				// After an outage try again with the next text: an identity may stay open for weeks.
				this.#isBehind = isOutage(error);
				this.#guard.end();
				const until = this.#isBehind ? 'the next text' : 'the next start or validation';
				warn(`Drift is not watched until ${until}, and a guard learns nothing new: ${reasonOf(error)}`, error);
			}
		});
	}

	/** Takes a durable cycle. An imported one must not raise an alarm now, so the watch restarts with the next live text. */
	take(record: CycleRecord): void {
		const isImport = record.origin === 'import';
		if (isImport && !this.#isBehind) {
			this.close();
			this.#isBehind = true;
		} else if (!isImport && this.#isBehind) {
			this.restart();
		}

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

	/** Takes a translation: its words are the identity's own. */
	async takeTranslation(id: string, text: string): Promise<void> {
		try {
			this.#watcher?.addOwn({id, timestamp: timestampOf(this.#deps.time), vector: await this.#deps.encoder.embed(text)});
		} catch (error) {
			this.#deps.warn(`Echoes of a translation are not watched: ${reasonOf(error)}`, error);
		}
	}

	/** Ends the watch. */
	close(): void {
		this.#end.abort();
		this.#deps.timers.clearTimeout(this.#timer);
		this.#timer = null;
		this.#watcher = null;
		this.#waiting = null;
	}

	async #start(journal: JournalPort, signal: AbortSignal): Promise<void> {
		const {kernel, questions, time, getContext} = this.#deps;
		const {noticed} = getContext().boot.restored ?? {};
		if (this.#endsNoticed === null) {
			this.#endsNoticed = Math.min(noticed?.endsBefore ?? -Infinity, time.now());
			this.#sources.restore(noticed?.sources ?? []);
		}

		const validation = await journal.validation();
		// By the next task, `take` has been called for every cycle that was durable.
		await new Promise(resolve => {
			setTimeout(resolve);
		});
		signal.throwIfAborted();
		if (!validation) {
			return;
		}

		this.#waiting = [];
		const records = {journal, to: journal.records};
		const revisions = (await journal.decisions()).filter(isRevision);
		const kept = await readKeptMonitor(journal, basisOf(validation, revisions), records.to).catch(() => null);
		const job = watchJobOf(validation, kept, revisions, records.to, getContext().boot, this.#deps.standings.asksStrangers);
		const start = await runAccepted(questions, kernel, job, records, signal);
		signal.throwIfAborted();
		this.#isHashed = validation.baseline.sources === null;
		const watcher = new Watcher(start, validation.texts, () => separateKernel(kernel));
		watcher.endSilent(this.#endsNoticed);
		// The fleet's row and the guard need the sources that push. Finding them takes half a second of a thread.
		await this.#sources.start(watcher.look('heard')?.p ?? 1, signal);
		this.#watcher = watcher;
		this.#guard.watcher = watcher;
		this.#schedule();
	}

	/** Defers the work: the answers come first. */
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

		for (const record of this.#waiting!.splice(0)) {
			this.#tell(watcher.take({...this.#read(record), isDaemons: record.origin === 'daemon'}));
		}

		this.#timeEnd(watcher);
		this.#change();
	}

	/** If the journal keeps hashes, triggers stand in for sources. */
	#read(text: Omit<Parameters<typeof toBaselineText>[0], 'isHashed'>): BaselineText {
		return toBaselineText({...text, isHashed: false, ...(this.#isHashed && {metadata: {}})});
	}

	/** A pause also ends a conversation. One timer waits for the next end; if that conversation has continued, it is set again. */
	#timeEnd(watcher: Watcher): void {
		const {time, timers} = this.#deps;
		const {endsAt} = watcher;
		if (this.#timer !== null || endsAt === null) {
			return;
		}

		this.#timer = timers.setTimeout(() => {
			// First take the texts that have arrived: they may continue the conversation.
			this.#takeWaiting();
			this.#timer = null;
			this.#endsNoticed = time.now();
			this.#tell(watcher.endSilent(this.#endsNoticed));
			this.#timeEnd(watcher);
			this.#change();
			// A text may carry a date in the future, and a timer of more than 25 days would fire at once.
		}, Math.min(maxPauseMs, Math.max(0, endsAt - time.now())) + 1);
	}

	#tell({notices, isUnusual}: Watched): void {
		for (const notice of notices) {
			this.#deps.notify(deepFreeze(notice));
		}

		const look = this.#watcher?.look('heard')?.look ?? 0;
		if (isUnusual && this.#sources.isDue(look)) {
			void this.#sources.examine(this.#end.signal).then(() => this.#change());
		}
	}

	#change(): void {
		for (const listener of Array.from(this.changeListeners)) {
			if (this.changeListeners.has(listener)) {
				listener();
			}
		}
	}
}
