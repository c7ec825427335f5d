/** What the machines are made of. Every part exists before the machines do, and none stands in a context: contexts are data. */
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

/** What an encoder is made with: there is no encoder yet. */
export type EncoderBoot = Omit<Boot, 'encoder'>;

/** An encoder whose model the boot loads, as it opens the journal. Before that it embeds nothing. */
export type EncoderPort = LoadedEncoder & {
	/** Loads the model. It should settle soon after the signal aborts. */
	load(boot: EncoderBoot): Promise<void>;
};

/** A journal that the boot makes before it opens it. */
export type JournalPort = Omit<Journal, 'append' | 'rewrite'> & {
	/** Appends as {@link Journal.append} does, and resolves with the number of the last record that was written. */
	append(record: JournalRecord): Promise<number>;
	/** Rewrites as {@link Journal.rewrite} does, and resolves with the number of the record. */
	rewrite(record: RevisionRecord, rewriting: Rewriting): Promise<number>;
	/** How many records are durable, compacted ones included. */
	readonly records: number;
	load(boot: Boot): Promise<void>;
	/** Resolves when what was appended so far is durable, or has failed. */
	flush(): Promise<void>;
	/** Closes the journal if `open` succeeded here; waits for an `open` under way. */
	release(): Promise<void>;
};

/** A translator that the boot loads. */
export type TranslatorPort = Translator & {
	/** Whether there is one: none is there where no language model is configured. */
	load(boot: Boot): Promise<boolean>;
	/** Disposes of a translator that a function made. */
	dispose(): Promise<void>;
};

/** Vectors of what is known that lies near a text; null for something that has none. */
export type Corroborate = (vector: Float32Array, signal: AbortSignal) => Promise<ReadonlyArray<Float32Array | null>>;

/** What an identity begins with: where the boot reads it from. */
export type BootSources = Required<Pick<
	ProcessOptions, 'initialState' | 'requireInitialState' | 'person' | 'calibrate' | 'authority' | 'directions' | 'themes'
>>;

/** Everything that the process and its children work with. */
export type MachineDeps = {
	kernel: Kernel;
	time: Time;
	random: Random;
	/** Names for the cycles that the daemon asks for, and for what is journaled beside cycles. */
	newId: () => string;
	encoder: EncoderPort;
	translator: TranslatorPort;
	/** Null where science has no source to ask. */
	corroborate: Corroborate | null;
	/** Null where state is kept in memory only. */
	journal: JournalPort | null;
	metrics: Metrics;
	/** Called with each cycle when it is published: where there is a journal, the cycle is durable by then. */
	recordListeners: Set<(record: CycleRecord) => void>;
	/** By which texts of others wait, and what these rules go by. */
	guard: readonly HoldRule[];
	standings: Standings;
	/** After how many days a held text is dropped; null for never. */
	expireDays: number | null;
	/** The model's name until it is loaded. */
	modelName: string;
	sources: BootSources;
	loop: LoopConfig;
	/** Where a validation finds how far chance goes, and questions to the past run. */
	questions: Questions;
};
