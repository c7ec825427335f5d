/** The parts of the machines. All are made before the machines, and none is stored in a context: contexts are data. */
import type {LoadedEncoder} from '../embedding/encoder.ts';
import type {CycleRecord, Journal, JournalRecord, RevisionRecord, Rewriting} from '../journal/journal.ts';
import type {Kernel} from '../kernel/kernel.ts';
import type {Translator} from '../language/translator.ts';
import type {Standings} from './guard.ts';
import type {HoldRule} from './quarantine.ts';
import type {Metrics} from './metrics.ts';
import type {Boot} from '../sources/source.ts';
import type {Random, Time} from '../platform/clock.ts';
import type {LoopConfig} from './loop.ts';
import type {Questions} from '../instruments/past/questions.ts';
import type {ProcessOptions} from './process-parts.ts';

/** What a function that creates an encoder receives: a {@link Boot}, in which there is no encoder yet. */
export type EncoderBoot = Omit<Boot, 'encoder'>;

/** An encoder whose model is loaded by the boot. Before that it cannot embed. */
export type EncoderPort = LoadedEncoder & {
	/** Loads the model. It should settle soon after the signal aborts. */
	load(boot: EncoderBoot): Promise<void>;
};

/** A journal that the boot creates before it opens it. */
export type JournalPort = Omit<Journal, 'append' | 'rewrite'> & {
	/** Like {@link Journal.append}, but resolves with the number of the last record written. */
	append(record: JournalRecord): Promise<number>;
	/** Like {@link Journal.rewrite}, but resolves with the number of the record. */
	rewrite(record: RevisionRecord, rewriting: Rewriting): Promise<number>;
	/** The number of durable records, including compacted ones. */
	readonly records: number;
	load(boot: Boot): Promise<void>;
	/** Resolves when all records appended so far are durable or have failed. */
	flush(): Promise<void>;
	/** Closes the journal if `open` succeeded through this port; waits for an `open` under way. */
	release(): Promise<void>;
};

/** A translator that is loaded by the boot. */
export type TranslatorPort = Translator & {
	/** Loads the translator. Resolves with false if there is none, because no language model is configured. */
	load(boot: Boot): Promise<boolean>;
	/** Disposes of the translator if a function created it. */
	dispose(): Promise<void>;
};

/** Finds vectors of known facts near a text's vector; null for a fact without a vector. */
export type Corroborate = (vector: Float32Array, signal: AbortSignal) => Promise<ReadonlyArray<Float32Array | null>>;

/** The sources from which the boot reads what an identity begins with. */
export type BootSources = Required<Pick<
	ProcessOptions, 'initialState' | 'requireInitialState' | 'person' | 'calibrate' | 'authority' | 'directions' | 'themes'
>>;

/** Everything that the process and its children work with. */
export type MachineDeps = {
	kernel: Kernel;
	time: Time;
	random: Random;
	/** Makes ids for the daemon's cycles, for cycles whose caller gave none, and for other records. */
	newId: () => string;
	encoder: EncoderPort;
	translator: TranslatorPort;
	/** Null if science has no source to ask. */
	corroborate: Corroborate | null;
	/** Null if the state is kept in memory only. */
	journal: JournalPort | null;
	metrics: Metrics;
	/** Called with each cycle when it is published; with a journal, it is durable by then. */
	recordListeners: Set<(record: CycleRecord) => void>;
	/** The rules that hold texts of others. */
	guard: readonly HoldRule[];
	/** What these rules know of sources. */
	standings: Standings;
	/** The number of days after which a held text is dropped; null for never. */
	expireDays: number | null;
	/** The name to show for the model until it is loaded. */
	modelName: string;
	sources: BootSources;
	loop: LoopConfig;
	/** Runs questions to the past, and a validation's search for how far chance leads. */
	questions: Questions;
};
