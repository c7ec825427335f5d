/**
 * The identity, as an application sees it: requests in, views and events out. The interface is the
 * same for an identity in this program and for one behind HTTP; in this program reads are synchronous.
 *
 * Its declaration asks for the names of `await using`, which the types of a page lack.
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
	/** Leaves the loop on in the journal, for another node to go on with. It runs here until `dispose`. @default false */
	keepsLoop?: boolean;
};

/**
 * An identity, here or far. A request that comes before the boot is done waits for it. What is asked of it follows
 * from the table of questions.
 */
export interface Identity extends Questions, AsyncDisposable {
	/** Resolves when the identity can take on work. @throws what failed the boot; from afar also when the service cannot be reached */
	ready(): Promise<unknown>;

	/**
	 * Runs one cycle: the text moves the state. Resolves when its record is durable. A text alone is its content.
	 *
	 * A signal that aborts before the cycle has its turn cancels it, and the call throws the signal's reason. From
	 * then on the cycle is completed, and the call resolves. From afar a cycle that has been sent is always completed.
	 *
	 * @throws {InputError} for a request that no journal could keep
	 * @throws {EmbeddingError} or another error of the pipeline
	 * @throws {BusyError} when too many cycles are under way
	 * @throws {UnavailableError} when the boot has failed, while stopping, or while the journal cannot be written
	 */
	cycle(request: string | CycleRequest, options?: CallOptions): Promise<CycleAnswer>;

	/** {@link Identity.cycle} in plain words. */
	say: Identity['cycle'];
	/** What the present is made of, and whose texts: the ledger. */
	why: Identity['ledger'];
	/** What stands out in it now: the profile with units. */
	whoAmI: Identity['scaledProfile'];

	/**
	 * Says what a cycle would answer and what it would do. It changes nothing: no counter, no mode, no record, no
	 * event. A cycle that follows, with nothing between, has the same bits.
	 *
	 * @throws {InputError} for a request that no journal could keep
	 * @throws {EmbeddingError} or another error of the pipeline
	 * @throws {BusyError} when too many cycles are under way
	 */
	dryRun(request: string | CycleRequest, options?: CallOptions): Promise<DryRunView>;

	/**
	 * The whole state of a moment, bit for bit: of a state's id, or of a time in ISO 8601.
	 *
	 * @throws {NoJournalError} without a journal
	 * @throws {InputError} for a moment that is not known
	 * @throws {BusyError} when too many questions to the past are under way
	 */
	stateAt(moment: Moment, options?: CallOptions): Promise<TensorView>;

	/**
	 * Restores the initial state in its turn and clears counters, metrics and drift.
	 *
	 * @throws {BusyError} when too many cycles are under way
	 * @throws {UnavailableError} when the boot has failed, while stopping, or while the journal cannot be written
	 */
	reset(): Promise<{stateId: number}>;

	/**
	 * Puts the state into words. The translator is given `context`. The signal cancels it.
	 *
	 * @throws {LanguageError} when the translator fails
	 * @throws {UnavailableError} when there is no translator
	 * @throws {BusyError} when too many translations are under way
	 */
	translate(request?: {context?: string | null}, options?: CallOptions): Promise<Translation>;

	/** The loop that runs cycles when no caller speaks. */
	readonly daemon: {
		/** Starts the autonomous loop; `started` is false when it was running already, and there is no `config` then. */
		start(): Promise<{started: boolean; config?: LoopConfig}>;
		/** Stops the loop and its cycle; `stopped` is false when it was not running. */
		stop(): Promise<{stopped: boolean}>;
		/** The mode, the loop, and who spoke last. @throws {UnavailableError} until boot is done */
		status(): Eventually<DaemonView>;
	};

	/** That it is alive, and with what. */
	health(): Eventually<HealthView>;
	/** Whether it can take on work, part by part. */
	readiness(): Eventually<ReadinessView>;
	/** The published state, in part. @throws {UnavailableError} until boot is done, as the methods below do */
	state(): Eventually<StateView>;
	/** The published state as a whole: a copy, 8 rows of 1024 floats. */
	tensor(): Eventually<TensorView>;
	/** What has happened since the start. */
	metrics(): Eventually<MetricsView>;

	/**
	 * Calls back for every event of a type, or with `*` for every event, until the returned function is called. What a
	 * listener throws becomes a warning.
	 */
	on<Type extends EventType | '*'>(type: Type, listener: Listener<Type>): () => void;

	/**
	 * Every event from the call on, until the loop is left, the identity ends or the signal aborts. A consumer that
	 * falls 1000 events behind misses the oldest, and `stream.dropped` says how many. The same holds for a remote
	 * one after a long break.
	 *
	 * @throws the signal's reason
	 */
	events(options?: CallOptions): EventStream;

	/** Ends it and frees what it holds. Disposed of by `await using`, it drains first. */
	dispose(): Promise<void>;
}

/** An identity in this program: reads are synchronous. */
export interface LocalIdentity extends Identity {
	/** The root of the actor system, to send events to and to look at. */
	readonly actor: ProcessActor;

	/** Resolves with the boot's report when the identity is ready. @throws what failed the boot; what it held is freed then */
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
	 * Runs one cycle with a text that was said before, such as one of a log. Import texts in the order of their times:
	 * a state remembers the order in which it was moved. Otherwise as {@link Identity.cycle}.
	 *
	 * @throws {InputError} also for what is no time
	 */
	importText(request: ImportRequest, options?: CallOptions): Promise<CycleAnswer>;

	/**
	 * Reads durable records of the journal in their order, each verified, from a number on: at most `count`. Of compacted
	 * ones a snapshot is left.
	 *
	 * @throws {NoJournalError} without a journal
	 */
	records(from: number, count: number): Promise<JournalEntry[]>;
	/** How the watch on drift stands; null while there is no validation to compare with, and while the watch begins. */
	watch(): WatchView | null;

	/** How it stands, as a fleet shows it; null until it is ready, and when it has ended. */
	standing(): FleetStanding | null;
	/** Calls back when that may have changed, until the returned function is called. It keeps no identity in memory. */
	onStanding(listener: () => void): () => void;

	/**
	 * Makes another identity of a moment, the present by default: to talk to and to throw away. It lives in memory
	 * alone, its daemon sleeps, and nothing that it hears reaches this one. It borrows the encoder, so dispose of it first.
	 *
	 * @throws {NoJournalError} for a moment of the past, without a journal
	 * @throws {InputError} for a moment that is not known
	 */
	fork(request?: {at?: Moment}, options?: CallOptions): Promise<LocalIdentity>;

	/**
	 * Whether nothing is under way: no call, no cycle, no listener. Such an identity with a journal can be disposed of and
	 * opened again, and no caller sees a difference; its loop continues where it is told so (`untilCycle`).
	 */
	isIdle(): boolean;

	/** Whether it stays in memory without a request: somebody hears its events. */
	isHeld(): boolean;

	/** In how many milliseconds the loop's next cycle is due: 0 while it runs; null without a loop. */
	untilCycle(): number | null;

	/** Stops the daemon, accepts nothing more, and resolves when what was accepted is done and durable. */
	drain(options?: DrainOptions): Promise<void>;

	/**
	 * Stops every actor, fails what is still under way with `UnavailableError`, and frees the journal and what the
	 * options' functions made. A cycle whose record is on its way to the journal may be kept; its error says so.
	 * Drain first, and there is no such cycle.
	 */
	dispose(): Promise<void>;

	/** Drains, for `drainTimeoutMs` at most, then disposes: what `await using` does. */
	[Symbol.asyncDispose](): Promise<void>;
}
