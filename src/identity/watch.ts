/**
 * The watch on live cycles: the chart and the echo guard of the newest validation. It begins from the
 * journal, in a thread, and takes in each durable cycle after its answer. Without a validation
 * there is nothing to watch, and a cycle costs nothing more.
 */
import type {JournalPort, MachineDeps} from '../actors/deps.ts';
import {timestampOf, type Timers} from '../platform/clock.ts';
import {deepFreeze} from '../platform/immutable.ts';
import {isOutage, reasonOf} from '../platform/errors.ts';
import {waitAtMost, withSignal} from '../platform/waiting.ts';
import type {FleetWatch} from '../instruments/fleet.ts';
import {toBaselineText} from '../instruments/drift/baseline.ts';
import {maxPauseMs} from '../instruments/drift/conversations.ts';
import {unusualP} from '../instruments/drift/findings.ts';
import {Watcher, type Watched} from '../instruments/watcher.ts';
import type {CycleRecord, RestoredJournal} from '../journal/journal.ts';
import type {BaselineText} from '../journal/validation.ts';
import {isRevision} from '../journal/revision.ts';
import type {Origins} from '../instruments/past/stretches.ts';
import {basisOf, readKeptLife, watchJobOf} from '../instruments/past/kept-life.ts';
import {separateKernel} from '../kernel/select.ts';
import type {StateTensor} from '../kernel/state-tensor.ts';
import type {ProcessActor} from './pending-requests.ts';
import {GuardKnowledge, maxWaitMs} from './guard-knowledge.ts';
import {NoticedSources, type SourcesDeps} from './noticed-sources.ts';
import {viewOf, type WatchView} from './watch-view.ts';

export type WatchDeps = SourcesDeps & Pick<
	MachineDeps, 'recordListeners' | 'standings' | 'journal' | 'kernel' | 'questions' | 'encoder' | 'time'
> & {
	/** They time the end of a conversation. */
	timers: Timers;
	/** What the identity lives by, once it is ready. */
	getLife: () => Origins & {state: StateTensor; restored: RestoredJournal | null};
};

/** More cycles than this during a start begin it again: their vectors would fill the memory. */
const maxCollected = 5000;

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
	/** Resolves when what came before is read, or cannot be. */
	#beginning = Promise.resolve();
	/** Whether texts were imported that the watch has not taken. */
	#isBehind = false;
	/** What a pause ended before that moment was noticed then, in milliseconds since the epoch; null before the first start. */
	#endsNoticed: number | null = null;
	readonly #sources: NoticedSources;
	readonly #guard: GuardKnowledge;
	/** Called when what it knows may have changed. */
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

	/** Watches what the process does from now on, until it ends. */
	follow(actor: ProcessActor): void {
		const {recordListeners} = this.#deps;
		const hear = (record: CycleRecord) => this.take(record);
		recordListeners.add(hear);
		const forget = () => recordListeners.delete(hear);
		actor.subscribe({complete: forget, error: forget});
		for (const changed of ['identity.validated', 'identity.revised'] as const) {
			actor.on(changed, () => {
				this.#sources.clear();
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

	/** What a fleet shows of it; undefined while it begins, and where it could not; null where there is nothing to watch. */
	describe(isValidated: boolean): FleetWatch | null | undefined {
		const {top: topSource, noticed} = this.#sources;
		const described = this.#waiting?.length === 0 ? this.#watcher?.describe() : undefined;
		return isValidated && this.#deps.journal ? described && {...described, noticed, ...(topSource !== undefined && {topSource})} : null;
	}

	/** Null while there is nothing to watch. */
	view(): WatchView | null {
		return this.#watcher && viewOf(this.#watcher);
	}

	/** What is known since it began; null while there is nothing to watch. */
	get watcher(): Pick<Watcher, 'echoes' | 'readTalk'> | null {
		return this.#watcher;
	}

	/** What is known of all that was heard, which takes a while after a start; null where nothing is watched, or not in time. */
	async begun(signal?: AbortSignal): Promise<Watch['watcher']> {
		await withSignal(waitAtMost(this.#beginning, maxWaitMs, this.#deps.timers), signal);
		return this.watcher;
	}

	/** Begins with the newest validation: when the identity is ready, when it was validated, and when its journal was opened again. */
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
				// What passes is asked again: an identity may not be opened again for weeks.
				this.#isBehind = isOutage(error);
				this.#guard.end();
				const until = this.#isBehind ? 'the next text' : 'the next start or validation';
				warn(`Drift is not watched until ${until}, and a guard learns nothing new: ${reasonOf(error)}`, error);
			}
		});
	}

	/** Takes a cycle that is durable. What was said before raises no alarm now: the watch goes on with the next text that is said. */
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

	/** Takes a translation, which is the identity's own. */
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
		const {kernel, questions, time, getLife} = this.#deps;
		const {noticed} = getLife().restored ?? {};
		if (this.#endsNoticed === null) {
			this.#endsNoticed = Math.min(noticed?.endsBefore ?? -Infinity, time.now());
			this.#sources.restore(noticed?.sources ?? []);
		}

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
		const revisions = (await journal.decisions()).filter(isRevision);
		const kept = await readKeptLife(journal, basisOf(validation, revisions), records.to).catch(() => null);
		const job = watchJobOf(validation, kept, revisions, records.to, getLife(), this.#deps.standings.asksStrangers);
		const start = await questions.run(
			watches, async (threads, either) => threads.run(kernel, job, records, either),
			{signal, isRefusable: false, isUnbounded: true},
		);
		signal.throwIfAborted();
		this.#isHashed = validation.baseline.sources === null;
		const watcher = new Watcher(start, validation.texts, () => separateKernel(kernel));
		watcher.endSilent(this.#endsNoticed);
		const {p = 1} = watcher.look('heard') ?? {};
		if (p <= unusualP) {
			// A row of the fleet and a guard need who pushes. It takes half a second of a thread.
			await this.#sources.examine(signal);
			signal.throwIfAborted();
		}

		this.#watcher = watcher;
		this.#guard.watcher = watcher;
		this.#schedule();
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

		for (const record of this.#waiting!.splice(0)) {
			this.#tell(watcher.take({...this.#read(record), isDaemons: record.origin === 'daemon'}));
		}

		this.#timeEnd(watcher);
		this.#change();
	}

	/** Where the journal keeps hashes, triggers stand for sources. */
	#read(text: Omit<Parameters<typeof toBaselineText>[0], 'isHashed'>): BaselineText {
		return toBaselineText({...text, isHashed: false, ...(this.#isHashed && {metadata: {}})});
	}

	/** A conversation ends by a pause too. One timer is set for the next end, and set again where that conversation went on. */
	#timeEnd(watcher: Watcher): void {
		const {time, timers} = this.#deps;
		const {endsAt} = watcher;
		if (this.#timer !== null || endsAt === null) {
			return;
		}

		this.#timer = timers.setTimeout(() => {
			// What has been said by now is no silence.
			this.#takeWaiting();
			this.#timer = null;
			this.#endsNoticed = time.now();
			this.#tell(watcher.endSilent(this.#endsNoticed));
			this.#timeEnd(watcher);
			this.#change();
			// A text may claim to be of a later day, and a timer of more than 25 days would end at once.
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
		for (const listener of this.changeListeners) {
			listener();
		}
	}
}
