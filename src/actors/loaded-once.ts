/**
 * Ports whose implementation is loaded by the boot. An implementation that a function created is disposed of; a value is
 * only borrowed. After its disposal a port can be loaded again, as when a parent re-enters the state that invokes the
 * process.
 */
import {embedWithReport, encoderBy, passportOf, type Encoder} from '../embedding/encoder.ts';
import {ConfigurationError, JournalError, ModelLoadError, UnavailableError, wrapError} from '../platform/errors.ts';
import {countRecords, forwardedJournal, journalMethods, type Journal} from '../journal/journal.ts';
import type {Translator} from '../language/translator.ts';
import {isMaker, resolveGiven, resolveSource, type Source} from '../sources/source.ts';
import type {EncoderBoot, EncoderPort, JournalPort, MachineDeps, TranslatorPort} from './deps.ts';
import {isEncoder, isJournal} from './part-checks.ts';

/**
 * Frees the encoder, the journal and the translator of a process. A second call waits for the first.
 * @throws the error of the first part that could not be freed
 */
export const freeParts = async ({encoder, journal, translator}: Pick<MachineDeps, 'encoder' | 'journal' | 'translator'>): Promise<void> => {
	const freed = await Promise.allSettled([encoder.dispose(), journal?.release(), translator.dispose()]);
	for (const part of freed) {
		if (part.status === 'rejected') {
			throw part.reason;
		}
	}
};

/** Disposes of a part that a function created. A value is only borrowed, and a part that failed to load needs no disposal. */
const disposeOfMade = async <Part extends {dispose?: () => void | Promise<void>}, Given>(
	source: Source<Part | null, Given>, loading: Promise<Part | null> | undefined,
): Promise<void> => {
	if (isMaker(source)) {
		await (await loading?.catch(() => null))?.dispose?.();
	}
};

/** An encoder whose model is loaded once. Its disposal waits for a load under way. */
export const encoderLoadedOnce = (source: Source<Encoder, EncoderBoot>): EncoderPort => {
	let loading: Promise<Encoder> | undefined;
	let encoder: Encoder | undefined;
	let disposal: Promise<void> | undefined;
	const loaded = (): Encoder => {
		if (!encoder) {
			throw new UnavailableError('The embedding model is not loaded yet; try again in a moment.', {retryable: true});
		}

		return encoder;
	};

	/** Tells identities that share an encoder apart, so that each gets its turn. */
	const identity = {};

	return Object.assign(encoderBy(
		async (text, signal, turn) => embedWithReport(loaded(), text, signal, {identity, ...turn}),
		() => ({passport: passportOf(loaded()), languages: loaded().languages, forget: () => loaded().forget?.()}),
	), {
		/** @throws {ConfigurationError} when a process runs with this encoder */
		async load(boot: EncoderBoot) {
			if (loading && !disposal) {
				throw new ConfigurationError('A process already runs with these parts. Make a machine for each identity.');
			}

			disposal = undefined;
			loading = madeBy(source, boot, ModelLoadError, 'The embedding model could not be loaded');
			encoder = requireEncoder(await loading);
		},
		dispose: async () => disposal ??= disposeOfMade(source, loading),
	});
};

/**
 * A journal that only the identity that opened it closes. If an application gives one journal to two identities by
 * mistake, the second is refused and must not close it for the first.
 */
export const journalLoadedOnce = (source: Source<Journal>): JournalPort => {
	let journal: Journal | undefined;
	let opening: Promise<unknown> = Promise.resolve();
	let isOpen = false;
	let records = 0;
	/** The number of the last record passed to the journal. Records become durable in order. */
	let given = 0;
	let settled: Promise<unknown> = Promise.resolve();
	let releasing: Promise<void> | undefined;
	const loaded = (): Journal => {
		if (!journal) {
			throw new JournalError('The journal is not loaded yet.');
		}

		return journal;
	};

	const close = async (): Promise<void> => {
		isOpen = false;
		await journal?.close();
	};

	const release = async (): Promise<void> => {
		await opening;
		if (isOpen) {
			await close();
		}
	};

	/** @returns the number of the last record written */
	const write = async (count: number, written: Promise<void>): Promise<number> => {
		given += count;
		const end = given;
		settled = written.catch(() => {});
		await written;
		records = end;
		return end;
	};

	return {
		...forwardedJournal(loaded),
		async load(boot) {
			journal = requireJournal(await madeBy(source, boot, JournalError, 'The journal could not be made'));
		},
		async open() {
			await releasing;
			releasing = undefined;
			const opened = loaded().open();
			opening = opened.catch(() => {});
			try {
				const restored = await opened;
				isOpen = true;
				records = restored?.records ?? 0;
				given = records;
				return restored;
			} catch (error) {
				throw wrapError(error, JournalError, 'The journal could not be opened');
			}
		},
		append: async record => write(countRecords(record), loaded().append(record)),
		rewrite: async (record, rewriting) => write(1, loaded().rewrite(record, rewriting)),
		async flush() {
			await settled;
		},
		get records() {
			return records;
		},
		get digests() {
			return journal?.digests;
		},
		close,
		release: async () => releasing ??= release(),
	};
};

/** A translator that is loaded once, if there is one. Its disposal waits for a load under way. */
export const translatorLoadedOnce = (source: Source<Translator | null>): TranslatorPort => {
	let loading: Promise<Translator | null> | undefined;
	let translator: Translator | null = null;
	let disposal: Promise<void> | undefined;
	return {
		async load(boot) {
			await disposal;
			disposal = undefined;
			loading = resolveGiven('translator', source, boot);
			translator = await loading;
			return translator !== null;
		},
		async translate(request, signal) {
			if (!translator) {
				throw new UnavailableError('Translator is unavailable: no language model is configured.');
			}

			return translator.translate(request, signal);
		},
		dispose: async () => disposal ??= disposeOfMade(source, loading),
	};
};

const madeBy = async <Value, Given extends EncoderBoot>(
	source: Source<Value, Given>, boot: Given, Wrapper: typeof JournalError | typeof ModelLoadError, what: string,
): Promise<Value> => {
	try {
		return await resolveSource(source, boot);
	} catch (error) {
		throw wrapError(error, Wrapper, what, boot.signal);
	}
};

/** @throws {JournalError} for a value that is not a journal */
const requireJournal = (journal: Journal): Journal => {
	if (!isJournal(journal)) {
		throw new JournalError(`The option journal gave no journal: it needs ${journalMethods.join(', ')}.`);
	}

	return journal;
};

/** @throws {ModelLoadError} for a value that is not an encoder */
const requireEncoder = (encoder: Encoder): Encoder => {
	if (!isEncoder(encoder)) {
		throw new ModelLoadError('The option encoder gave no encoder: it needs a passport with a model, and embed.');
	}

	return encoder;
};
