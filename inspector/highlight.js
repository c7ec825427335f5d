// @ts-check
/**
 * Lights things up one after another, so that an eye can follow what a machine does within a
 * millisecond. What is late is left out: the light never lags far behind the machine.
 *
 * Who wants things to stand still sees the last path marked, and nothing move.
 */
import {wantsStillness} from './dom.js';

/** Between two lights, and how long one stays; milliseconds. */
const pace = 110;
const stay = 700;

/** More than this is too long to look at. */
const most = 16;

export class Glow {
	/** @type {Element[]} */
	#waiting = [];
	/** @type {Map<Element, ReturnType<typeof setTimeout>>} */
	#lit = new Map();
	/** @type {Element[]} */
	#marked = [];
	#isRunning = false;

	/**
	 * Lights the elements in this order, and marks them as the last path.
	 *
	 * @param {Element[]} path
	 * @param {boolean} goesOn Whether it is the same path that goes on.
	 */
	follow(path, goesOn) {
		for (const element of goesOn ? [] : this.#marked) {
			element.classList.remove('last');
		}

		this.#marked = [...(goesOn ? this.#marked : []), ...path];
		for (const element of path) {
			element.classList.add('last');
		}

		if (!wantsStillness()) {
			this.#waiting.push(...path);
			this.#waiting.splice(0, this.#waiting.length - most);
			this.#run();
		}
	}

	#run() {
		if (this.#isRunning) {
			return;
		}

		const element = this.#waiting.shift();
		if (element) {
			this.#isRunning = true;
			this.#light(element);
			setTimeout(() => {
				this.#isRunning = false;
				this.#run();
			}, pace);
		}
	}

	/** @param {Element} element */
	#light(element) {
		clearTimeout(this.#lit.get(element));
		element.classList.add('lit');
		this.#lit.set(element, setTimeout(() => {
			this.#lit.delete(element);
			element.classList.remove('lit');
		}, stay));
	}
}
