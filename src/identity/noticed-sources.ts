/** Looks for the sources of an unusual drift, whether or not a caller asks, and says who is new among them. */
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

/** So many are remembered over restarts. */
const maxKept = 20;

export class NoticedSources {
	readonly #deps: SourcesDeps;
	/** Those that were noticed since the validation, with their p. */
	readonly #noticed = new Map<string, number>();
	/** At which look they are looked for next: after a quarter more texts, since that takes half a second. */
	#nextLook = 0;
	/** Who pushes most; undefined before it was looked for. */
	top: FleetSource | null | undefined;

	constructor(deps: SourcesDeps) {
		this.#deps = deps;
	}

	/** The first that were noticed. */
	get noticed(): Noticed['sources'] {
		return Array.from(this.#noticed, ([source, p]) => ({source, p})).slice(0, maxKept);
	}

	/** Takes what was noticed before a start, which is no news. */
	restore(sources: Noticed['sources']): void {
		for (const {source, p} of sources) {
			this.#noticed.set(source, p);
		}
	}

	/** The p of a source that was noticed. */
	pOf(source: string): number | null {
		return this.#noticed.get(source) ?? null;
	}

	clear(): void {
		this.#noticed.clear();
		this.#nextLook = 0;
		this.top = undefined;
	}

	/** @returns whether they are to be looked for after so many looks, which is due once */
	isDue(look: number): boolean {
		const isDue = look >= this.#nextLook;
		this.#nextLook = isDue ? Math.ceil(1.25 * (look + 5)) - 4 : this.#nextLook;
		return isDue;
	}

	async examine(signal: AbortSignal): Promise<void> {
		try {
			const {p: driftP, sources, pWithoutTopSource: rest} = await this.#deps.askDrift(signal);
			const isUnusual = driftP !== null && driftP <= unusualP;
			const named = sources.filter(({others}) => others === undefined);
			const [top] = named;
			this.top = isUnusual && top ? {
				source: top.source, share: top.share, p: top.p,
				// A text without a name has its trigger as its source: that is as many people as there are identities.
				explains: (top.p ?? 1) <= unusualP && (rest ?? 1) > unusualP && !isKnown(top.source),
			} : null;
			for (const {source, share, p} of named) {
				if (isUnusual && p !== null && p <= unusualP && !this.#noticed.has(source)) {
					this.#noticed.set(source, p);
					this.#deps.notify(Object.freeze({type: 'source.noticed', source, share: share!, p, driftP}));
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
