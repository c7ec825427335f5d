// @ts-check
/**
 * Highlights elements one after another, so that the eye can follow what a machine does within a
 * millisecond. Elements that would come too late are skipped. With reduced motion there is no
 * sequence: the last path is only marked.
 */
import {prefersReducedMotion} from '../dom.js';

const stepMs = 110;
const durationMs = 700;

/** With more waiting elements the highlight would lag too far behind the machine. */
const maxWaiting = 16;

export class Highlighter {
	/** @type {Element[]} */
	#waiting = [];
	/** @type {Map<Element, ReturnType<typeof setTimeout>>} */
	#highlighted = new Map();
	/** @type {Element[]} */
	#lastPath = [];
	#isRunning = false;

	/**
	 * Highlights the elements in this order, and marks them as the last path.
	 *
	 * @param {Element[]} path
	 * @param {boolean} isContinued Whether the path continues the last one.
	 */
	follow(path, isContinued) {
		for (const element of isContinued ? [] : this.#lastPath) {
			element.classList.remove('last');
		}

		this.#lastPath = [...(isContinued ? this.#lastPath : []), ...path];
		for (const element of path) {
			element.classList.add('last');
		}

		if (!prefersReducedMotion()) {
			this.#waiting.push(...path);
			this.#waiting.splice(0, this.#waiting.length - maxWaiting);
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
			this.#highlight(element);
			setTimeout(() => {
				this.#isRunning = false;
				this.#run();
			}, stepMs);
		}
	}

	/** @param {Element} element */
	#highlight(element) {
		clearTimeout(this.#highlighted.get(element));
		element.classList.add('highlighted');
		this.#highlighted.set(element, setTimeout(() => {
			this.#highlighted.delete(element);
			element.classList.remove('highlighted');
		}, durationMs));
	}
}
