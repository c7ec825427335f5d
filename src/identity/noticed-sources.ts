/** Looks for the sources of an unusual drift, even if no caller asks, and reports new ones. */
import type {Drift, FleetSource} from '../generated/types.ts';
import {isKnown} from '../actors/trigger.ts';
import {reasonOf, type Warn} from '../platform/errors.ts';
import type {Noticed} from '../journal/validation.ts';
import {unusualP} from '../instruments/drift/findings.ts';
import type {WatchNotice} from '../instruments/watch-notices.ts';

export type SourcesDeps = {
	/** Computes the drift since the validation. */
	askDrift: (signal: AbortSignal) => Promise<Drift>;
	notify: (notice: WatchNotice) => void;
	warn: Warn;
};

/** Most sources that are remembered across restarts. */
const maxKept = 20;

export class NoticedSources {
	readonly #deps: SourcesDeps;
	/** The sources that were noticed since the validation, with their p. */
	#noticed = new Map<string, number>();
	/** Those that were noticed before a revision: if they still stand out after it, that is no news. */
	#before: ReadonlySet<string> = new Set();
	/** The look at which to search next: after a quarter more texts, since a search takes half a second. */
	#nextLook = 0;
	/** The source that pushes most; null if drift is not unusual, undefined before the first search. */
	top: FleetSource | null | undefined;

	constructor(deps: SourcesDeps) {
		this.#deps = deps;
	}

	/** The first sources that were noticed, at most 20. */
	get noticed(): Noticed['sources'] {
		return Array.from(this.#noticed, ([source, p]) => ({source, p})).slice(0, maxKept);
	}

	/** Restores the sources that were noticed before a start, without reporting them again. */
	restore(sources: Noticed['sources']): void {
		for (const {source, p} of sources) {
			this.#noticed.set(source, p);
		}
	}

	/** The p of a source that was noticed; null for any other. */
	pOf(source: string): number | null {
		return this.#noticed.get(source) ?? null;
	}

	/** Follows a validation, after which everything is news; or a revision. */
	clear({isRevision}: {isRevision: boolean}): void {
		this.#before = new Set(isRevision ? [...this.#before, ...this.#noticed.keys()] : []);
		this.#noticed = new Map();
		this.#nextLook = 0;
		this.top = undefined;
	}

	/** Whether a search is due at this look. If so, schedules the next. */
	isDue(look: number): boolean {
		const isDue = look >= this.#nextLook;
		this.#nextLook = isDue ? Math.ceil(1.25 * (look + 5)) - 4 : this.#nextLook;
		return isDue;
	}

	/** Searches when the watch starts, if drift is unusual. @param p The probability of drift at the last look. */
	async start(p: number, signal: AbortSignal): Promise<void> {
		if (p <= unusualP) {
			await this.examine(signal);
			signal.throwIfAborted();
		}

		this.#before = new Set();
	}

	async examine(signal: AbortSignal): Promise<void> {
		try {
			const {p: driftP, sources, pWithoutTopSource: rest} = await this.#deps.askDrift(signal);
			const isUnusual = driftP !== null && driftP <= unusualP;
			const named = sources.filter(({others}) => others === undefined);
			const [top] = named;
			this.top = isUnusual && top ? {
				source: top.source, share: top.share, p: top.p,
				// The source of an unnamed text is its trigger, which stands for different people in each identity.
				explains: (top.p ?? 1) <= unusualP && (rest ?? 1) > unusualP && !isKnown(top.source),
			} : null;
			for (const {source, share, p} of named) {
				if (isUnusual && p !== null && p <= unusualP && !this.#noticed.has(source)) {
					this.#noticed.set(source, p);
					if (!this.#before.has(source)) {
						this.#deps.notify(Object.freeze({type: 'source.noticed', source, share: share!, p, driftP}));
					}
				}
			}
		} catch (error) {
			if (!signal.aborted) {
				this.#nextLook = 0;
				this.#deps.warn(`The sources of an unusual drift are not known yet: ${reasonOf(error)}`, error);
			}
		}
	}
}
