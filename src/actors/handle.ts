/**
 * A handle keeps something large or alive (a vector, a tensor, the services) out of a
 * machine's visible context: logs, inspectors and JSON see one line instead of its inside.
 */
export class Handle<T> {
	readonly #value: T;
	readonly #summary: string;

	constructor(value: T, summary: string) {
		this.#value = value;
		this.#summary = summary;
	}

	/** What it holds. */
	get value(): T {
		return this.#value;
	}

	/** The summary. */
	toJSON(): string {
		return this.#summary;
	}
}

/**
 * A handle of something that cannot be written: a persisted snapshot refers to it by name, and
 * whoever reads the snapshot gives it again.
 */
export class LiveHandle<T> extends Handle<T> {
	/** The name of the whole; or the keys of what lives in a value that is written otherwise, which are names too. */
	readonly alive: string | readonly string[];

	constructor(value: T, summary: string, alive: string | readonly string[]) {
		super(value, summary);
		this.alive = alive;
	}
}
