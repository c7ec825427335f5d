/**
 * A fair queue of texts for an encoder: identities take turns, and so do the sources within an identity. So a source with
 * many texts delays only itself. Questions, which change nothing, wait until no cycle is waiting.
 */

/** Whose text it is, which decides when its turn comes. */
export type TextTurn = {
	/** Represents the identity: the same object for all its texts. */
	readonly identity?: object;
	/** Who said the text. */
	readonly source?: string;
	/** Whether the text is only for a question, not for a cycle. */
	readonly isQuestion?: boolean;
};

/** Lines by key. The line that had the last turn moves to the end only at the next turn, so that a newcomer precedes it. */
type Lines<Key, Line> = Map<Key, Line> & {last?: Key};

type Sources<Task> = Lines<string | undefined, Set<Task>>;

type Identities<Task> = Lines<object | undefined, Sources<Task>>;

export class TurnQueue<Task> {
	readonly #cycles: Identities<Task> = new Map();
	readonly #questions: Identities<Task> = new Map();
	readonly #turns = new Map<Task, TextTurn>();

	get size(): number {
		return this.#turns.size;
	}

	add(task: Task, turn: TextTurn = {}): void {
		const lines = this.#linesOf(turn);
		const sources = lines.get(turn.identity) ?? new Map<string | undefined, Set<Task>>();
		const tasks = sources.get(turn.source) ?? new Set();
		lines.set(turn.identity, sources.set(turn.source, tasks.add(task)));
		this.#turns.set(task, turn);
	}

	/** Takes the task whose turn it is; null if there is none, or if it does not fit. */
	take(fits: (task: Task) => boolean = () => true): Task | null {
		const lines = this.#cycles.size > 0 ? this.#cycles : this.#questions;
		const sources = nextOf(lines);
		const task = sources && nextOf(sources)!.values().next().value;
		if (task === undefined || !fits(task)) {
			return null;
		}

		const {identity, source} = this.#turns.get(task)!;
		lines.last = identity;
		sources!.last = source;
		this.delete(task);
		return task;
	}

	delete(task: Task): void {
		const turn = this.#turns.get(task);
		if (!turn) {
			return;
		}

		this.#turns.delete(task);
		const lines = this.#linesOf(turn);
		const sources = lines.get(turn.identity)!;
		const tasks = sources.get(turn.source)!;
		tasks.delete(task);
		if (tasks.size === 0) {
			sources.delete(turn.source);
		}

		if (sources.size === 0) {
			lines.delete(turn.identity);
		}
	}

	/** Removes and returns all tasks. */
	clear(): Task[] {
		const tasks = [...this.#turns.keys()];
		this.#turns.clear();
		this.#cycles.clear();
		this.#questions.clear();
		return tasks;
	}

	#linesOf({isQuestion = false}: TextTurn): Identities<Task> {
		return isQuestion ? this.#questions : this.#cycles;
	}
}

const nextOf = <Key, Line>(lines: Lines<Key, Line>): Line | undefined => {
	const served = lines.get(lines.last!);
	if (served !== undefined) {
		lines.delete(lines.last!);
		lines.set(lines.last!, served);
	}

	return lines.values().next().value;
};
