/**
 * The buffered past: the last thousand events of the process and, apart from them so that
 * neither crowds out the other, the last thousand of its machines, numbered in one order.
 *
 * Frames of the machines are kept as text, since a snapshot would keep alive all that it refers
 * to. What the process's own events say becomes text when somebody hears it.
 */
import {isMachineFrameType} from './event-types.ts';

export class Happening {
	/** From 1, one for each event of the run. */
	readonly number: number;
	readonly type: string;
	/** The same as `json`, with texts; null when nobody asked for them at the time, or when there are none. */
	readonly withTexts: string | null;
	#content: string | (() => object);

	constructor(number: number, type: string, content: string | (() => object), withTexts: string | null) {
		this.number = number;
		this.type = type;
		this.#content = content;
		this.withTexts = withTexts;
	}

	/** One JSON object, with no text in it that somebody wrote. */
	get json(): string {
		if (typeof this.#content === 'function') {
			this.#content = JSON.stringify(this.#content());
		}

		return this.#content;
	}
}

const capacity = 1000;

export class History {
	/** The number of the latest event; 0 before the first. */
	latest = 0;
	readonly #machines = new Ring();
	readonly #process = new Ring();

	/** @param content JSON, or what gives its object when it is asked. */
	add(type: string, content: string | (() => object), withTexts: string | null = null): Happening {
		const happening = new Happening(++this.latest, type, content, withTexts);
		this.#ringOf(type).add(happening);
		return happening;
	}

	/** What happened after a number, of these types, in order. */
	after(number: number, types: ReadonlySet<string>): Happening[] {
		return this.#all(number).filter(({type}) => types.has(type));
	}

	/** How many events after a number, of any type, are no longer kept; 0 as long as all of these types are. */
	missing(number: number, types: ReadonlySet<string>): number {
		const isMissing = [...types].some(type => this.#ringOf(type).forgotten > number);
		return isMissing ? this.latest - number - this.#all(number).length : 0;
	}

	#all(number: number): Happening[] {
		return [...this.#machines.after(number), ...this.#process.after(number)].toSorted((a, b) => a.number - b.number);
	}

	#ringOf(type: string): Ring {
		return isMachineFrameType(type) ? this.#machines : this.#process;
	}
}

class Ring {
	/** The number of the latest event that made room for another. */
	forgotten = 0;
	readonly #kept: Happening[] = [];
	#oldest = 0;

	add(happening: Happening): void {
		if (this.#kept.length < capacity) {
			this.#kept.push(happening);
			return;
		}

		this.forgotten = this.#kept[this.#oldest]!.number;
		this.#kept[this.#oldest] = happening;
		this.#oldest = (this.#oldest + 1) % capacity;
	}

	after(number: number): Happening[] {
		return [...this.#kept.slice(this.#oldest), ...this.#kept.slice(0, this.#oldest)].filter(kept => kept.number > number);
	}
}
