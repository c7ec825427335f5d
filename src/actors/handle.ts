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

	get value(): T {
		return this.#value;
	}

	toJSON(): string {
		return this.#summary;
	}
}
