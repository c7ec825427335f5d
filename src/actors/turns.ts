/**
 * The turns: cycles and resets change the state in the order in which they were accepted.
 *
 * A cycle takes its place in the line when it is accepted and prepares (embeds, asks science)
 * beside the others. Its turn comes when everything before it has had its turn or has failed.
 * So the same requests, seed and clock give the same bits, whatever the latency of embeddings.
 *
 * The line is changed in place, because an assignment makes a new snapshot for each cycle.
 */
import {noTally, withCycle, withFailure, withFailuresSince, type Tally} from './tally.ts';
import {noCycles, type LastTrigger} from './trigger.ts';

/** Who waits for a turn. */
export type Place = {
	/** The name of the actor; null after it failed. */
	actor: string | null;
	kind: 'cycle' | 'reset';
	/** Whether it can have its turn; a cycle prepares first. */
	isReady: boolean;
	/** What was counted at acceptance; null where the turn counts. */
	trigger: LastTrigger | null;
};

/** The line of what was accepted, and the tally after the last turn. */
export class Turns {
	readonly #line: Map<number, Place>;
	#tally: Tally;
	/** All failures that count, also those whose place has not come up yet. */
	#failed: Pick<Tally, 'failures' | 'lastTrigger'>;
	#latest: number;

	/** @param line Numbers and their places, in ascending order. */
	constructor(tally: Tally = noTally, line: Iterable<readonly [number, Place]> = [], latest = 0) {
		this.#line = new Map(line);
		this.#tally = tally;
		this.#failed = {failures: tally.failures, lastTrigger: null};
		this.#latest = latest;
	}

	/** Takes the last place, and returns its number. */
	accept(place: Place): number {
		this.#line.set(++this.#latest, place);
		return this.#latest;
	}

	/** Whether nothing stands before this number. */
	isNext(number: number): boolean {
		const {value: first} = this.#line.keys().next();
		return first === undefined || first === number;
	}

	/** A cycle has prepared, and waits for its turn. */
	ready(number: number): void {
		const place = this.#line.get(number);
		if (place) {
			place.isReady = true;
		}
	}

	/** Who waits and can have the turn now. */
	next(): string | null {
		const {value: first} = this.#line.values().next();
		return first?.isReady ? first.actor : null;
	}

	/** The first in the line, for which the others wait. */
	head(): Place | null {
		return this.#line.values().next().value ?? null;
	}

	/** Whether a reset was accepted that has not had its turn. */
	hasReset(): boolean {
		return [...this.#line.values()].some(({kind}) => kind === 'reset');
	}

	/** A cycle has its turn; `now` counts where nothing was counted at acceptance. Returns the tally after it. */
	takeCycle(number: number, now: LastTrigger): Tally {
		return this.#take(number, withCycle(this.#tally, this.#line.get(number)?.trigger ?? now));
	}

	/** A reset has its turn. Returns the tally after it. */
	takeReset(number: number): Tally {
		return this.#take(number, {...this.#tally, counters: noCycles});
	}

	/** Ends the wait of what failed or was cancelled before its turn. What was counted at acceptance still counts. */
	giveUp(number: number): void {
		const place = this.#line.get(number);
		if (!place) {
			return;
		}

		const {trigger} = place;
		if (!trigger) {
			this.#leave(number);
			return;
		}

		this.#failed = {failures: withFailure({...noTally, ...this.#failed}, trigger).failures, lastTrigger: trigger};
		this.#line.set(number, {...place, actor: null});
		this.#passFailures();
	}

	/** Empties the line and goes back to the last durable tally. What failed before still counts. */
	rollBack(durable: Tally): Tally {
		this.#line.clear();
		this.#tally = withFailuresSince(durable, this.#failed);
		return this.#tally;
	}

	/** The actors that have a place. */
	actors(): string[] {
		return [...this.#line.values()].flatMap(({actor}) => actor ?? []);
	}

	#take(number: number, tally: Tally): Tally {
		this.#tally = tally;
		this.#leave(number);
		return tally;
	}

	#leave(number: number): void {
		this.#line.delete(number);
		this.#passFailures();
	}

	/** A failure counts in its place: so every record's tally depends on the order of acceptance alone. */
	#passFailures(): void {
		for (const [number, {actor, trigger}] of this.#line) {
			if (actor !== null) {
				return;
			}

			this.#tally = withFailure(this.#tally, trigger!);
			this.#line.delete(number);
		}
	}
}
