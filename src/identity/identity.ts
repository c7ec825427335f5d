/**
 * The identity as an application sees it: requests in, views and events out. A local identity and one behind HTTP have
 * the same interface; reads of a local one are synchronous.
 *
 * The reference declares `AsyncDisposable`, which the DOM types lack.
 */
/// <reference lib="esnext.disposable" preserve="true" />
import type {Questions, ScaledProfileRequest} from '../generated/types.ts';
import type {JournalEntry} from '../journal/journal.ts';
import type {LoopConfig} from '../actors/loop.ts';
import type {StepReport} from '../actors/boot.ts';
import type {FleetStanding} from '../instruments/fleet.ts';
import type {EventStream, EventType, Listener} from './events.ts';
import type {ProcessActor} from './pending-requests.ts';
import type {CallOptions, Eventually} from '../platform/waiting.ts';
import type {Moment} from '../instruments/past/find-moment.ts';
import type {
	CycleAnswer, DaemonView, CycleRequest, ImportRequest, DryRunView, HealthView, MetricsView, ProfileView, ReadinessView,
	ScaledProfileView, StateView, TensorView, Translation, VigilanceView,
} from './views.ts';
import type {WatchView} from './watch-view.ts';

/** How an identity is drained. */
export type DrainOptions = {
	/** Leaves the loop marked as running in the journal, so that another node resumes it. Here it runs until `dispose`. @default false */
	keepsLoop?: boolean;
};

/**
 * An identity, local or remote. A request that arrives before the boot is done waits for it. The methods of `Questions`
 * are generated from the table of questions.
 */
export interface Identity extends Questions, AsyncDisposable {
	/** Resolves when the identity can take on work. @throws the error that failed the boot; remotely also if the service is unreachable */
	ready(): Promise<unknown>;

	/**
	 * Runs one cycle: the text moves the state. Resolves when its record is durable. A string is short for `{content}`.
	 *
	 * A signal that aborts before the cycle's turn cancels it, and the call throws the signal's reason. Once its turn has
	 * begun, the cycle completes and the call resolves. On a remote identity, a cycle that was sent always completes.
	 *
	 * @throws {InputError} for a request that no journal could keep
	 * @throws {EmbeddingError} or another error of the pipeline
	 * @throws {BusyError} when too many cycles are under way
	 * @throws {UnavailableError} when the boot has failed, while stopping, or while the journal cannot be written
	 */
	cycle(request: string | CycleRequest, options?: CallOptions): Promise<CycleAnswer>;

	/** The same as {@link Identity.cycle}. */
	say: Identity['cycle'];
	/** What the present state is made of, and whose texts: the same as `ledger`. */
	why: Identity['ledger'];
	/** What stands out in the present state: the same as `scaledProfile`. */
	whoAmI: Identity['scaledProfile'];

	/**
	 * Computes the answer and the effect of a cycle without running it. Nothing changes: no counter, no mode, no record, no
	 * event. If nothing happens in between, a real cycle with this text gives the same bits.
	 *
	 * @throws {InputError} for a request that no journal could keep
	 * @throws {EmbeddingError} or another error of the pipeline
	 * @throws {BusyError} when too many cycles are under way
	 */
	dryRun(request: string | CycleRequest, options?: CallOptions): Promise<DryRunView>;

	/**
	 * The whole state at a moment, bit for bit. The moment is a state's id, a time in ISO 8601, `beginning` or `present`.
	 *
	 * @throws {NoJournalError} without a journal
	 * @throws {InputError} for an unknown moment
	 * @throws {BusyError} when too many questions to the past are under way
	 */
	stateAt(moment: Moment, options?: CallOptions): Promise<TensorView>;

	/**
	 * Waits its turn, then restores the initial state and clears counters, metrics and drift.
	 *
	 * @throws {BusyError} when too many cycles are under way
	 * @throws {UnavailableError} when the boot has failed, while stopping, or while the journal cannot be written
	 */
	reset(): Promise<{stateId: number}>;

	/**
	 * Puts the state into words. `context` is passed to the translator; the signal cancels the call.
	 *
	 * @throws {LanguageError} when the translator fails
	 * @throws {UnavailableError} when there is no translator
	 * @throws {BusyError} when too many translations are under way
	 */
	translate(request?: {context?: string | null}, options?: CallOptions): Promise<Translation>;

	/** The autonomous loop, which runs cycles while no caller speaks. */
	readonly daemon: {
		/** Starts the loop; if it was already running, `started` is false and `config` is absent. */
		start(): Promise<{started: boolean; config?: LoopConfig}>;
		/** Stops the loop and its cycle; `stopped` is false if it was not running. */
		stop(): Promise<{stopped: boolean}>;
		/** The mode, whether the loop runs, the counters, and the last trigger. @throws {UnavailableError} until the boot is done */
		status(): Eventually<DaemonView>;
	};

	/** The uptime, the newest state's id, and the embedding model; answers also during the boot. */
	health(): Eventually<HealthView>;
	/** Whether the identity can take on work, part by part. */
	readiness(): Eventually<ReadinessView>;
	/** The published state: the first 10 floats of each row. @throws {UnavailableError} until the boot is done */
	state(): Eventually<StateView>;
	/** A copy of the whole published state: 8 rows of 1024 floats. @throws {UnavailableError} until the boot is done */
	tensor(): Eventually<TensorView>;
	/** Counts since the start or the last reset, and of the last hour. @throws {UnavailableError} until the boot is done */
	metrics(): Eventually<MetricsView>;

	/**
	 * Calls the listener for every event of a type, or for all events with `*`, until the returned function is called. An
	 * error in the listener becomes a warning.
	 */
	on<Type extends EventType | '*'>(type: Type, listener: Listener<Type>): () => void;

	/**
	 * Streams every event from the call onwards, until the loop is left, the identity ends or the signal aborts. A consumer
	 * that falls more than 1000 events behind loses the oldest, and `stream.dropped` counts them. So does a remote consumer
	 * after a long break.
	 *
	 * @throws the signal's reason
	 */
	events(options?: CallOptions): EventStream;

	/** Ends the identity and frees its resources. `await using` drains it first. */
	dispose(): Promise<void>;
}

/** An identity in this program, with synchronous reads. */
export interface LocalIdentity extends Identity {
	/** The process actor, to observe and to send events to. */
	readonly actor: ProcessActor;

	/** Resolves with the boot's report when the identity is ready. @throws the error that failed the boot, after freeing its parts */
	ready(): Promise<readonly StepReport[]>;

	readonly daemon: Omit<Identity['daemon'], 'status'> & {status(): DaemonView};
	health(): HealthView;
	readiness(): ReadinessView;
	state(): StateView;
	tensor(): TensorView;
	vigilance(): VigilanceView;
	metrics(): MetricsView;
	profile(): ProfileView;
	scaledProfile(request?: ScaledProfileRequest): ScaledProfileView;
	whoAmI: LocalIdentity['scaledProfile'];
	/**
	 * Runs one cycle with a text from the past, such as a log entry. Import texts in chronological order, since the state
	 * depends on their order. Otherwise like {@link Identity.cycle}.
	 *
	 * @throws {InputError} also for a time that is not in ISO 8601
	 */
	importText(request: ImportRequest, options?: CallOptions): Promise<CycleAnswer>;

	/**
	 * Reads at most `count` durable records of the journal in order, beginning with number `from`, and verifies each. A
	 * snapshot stands in place of compacted records.
	 *
	 * @throws {NoJournalError} without a journal
	 */
	records(from: number, count: number): Promise<JournalEntry[]>;
	/** The watch on drift; null without a validation, and while the watch starts. */
	watch(): WatchView | null;

	/** The identity's row in a fleet; null until it is ready, and after it has ended. */
	standing(): FleetStanding | null;
	/** Calls the listener when the row may have changed, until the returned function is called. Does not keep the identity in memory. */
	onStanding(listener: () => void): () => void;

	/**
	 * Creates a separate identity from a moment, by default the present: to talk to and throw away. It lives in memory only,
	 * its daemon is stopped, and texts sent to it do not reach this identity. It borrows this identity's parts, such as the
	 * encoder, so dispose of the fork first.
	 *
	 * @throws {NoJournalError} for a past moment, without a journal
	 * @throws {InputError} for an unknown moment
	 */
	fork(request?: {at?: Moment}, options?: CallOptions): Promise<LocalIdentity>;

	/**
	 * Whether nothing is under way: no call, no cycle, no listener. An idle identity with a journal can be disposed of and
	 * opened again without callers noticing. Its loop does not run while it is closed: see `untilCycle`.
	 */
	isIdle(): boolean;

	/** Whether event listeners keep the identity in memory while there are no requests. */
	isHeld(): boolean;

	/** Milliseconds until the loop's next cycle is due; 0 while one runs, null if the loop is stopped. */
	untilCycle(): number | null;

	/** Stops the daemon, accepts no further calls, and resolves when all accepted ones are done and durable. */
	drain(options?: DrainOptions): Promise<void>;

	/**
	 * Stops every actor, fails pending calls with `UnavailableError`, and frees the journal and all parts that functions
	 * in the options created. A cycle whose record is on its way to the journal may still be kept; its error says so.
	 * Drain first to avoid this.
	 */
	dispose(): Promise<void>;

	/** Drains for at most `drainTimeoutMs`, then disposes. Called by `await using`. */
	[Symbol.asyncDispose](): Promise<void>;
}
