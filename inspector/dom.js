// @ts-check
/** Finds and creates elements. Only their classes and attributes determine how they look. */

/**
 * @template {Element} T
 * @param {string} id
 * @param {new () => T} kind
 * @returns {T}
 * @throws {TypeError} when the page has no such element
 */
export const getById = (id, kind) => {
	const found = document.getElementById(id);
	if (!(found instanceof kind)) {
		throw new TypeError(`The page has no ${kind.name} with the id “${id}”.`);
	}

	return found;
};

/** @typedef {Record<string, string | number | boolean | null | undefined>} Attributes */

/**
 * Skips attributes that are false, null or undefined; true becomes an empty one.
 *
 * @template {Element} T
 * @param {T} element
 * @param {Attributes} attributes
 * @param {(Node | string)[]} children
 * @returns {T}
 */
const setAttributes = (element, attributes, children) => {
	for (const [name, value] of Object.entries(attributes)) {
		if (value !== false && value !== null && value !== undefined) {
			element.setAttribute(name, value === true ? '' : String(value));
		}
	}

	element.append(...children);
	return element;
};

/**
 * Creates an HTML element.
 *
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Attributes} [attributes]
 * @param {(Node | string)[]} children
 */
export const html = (tag, attributes = {}, ...children) => setAttributes(document.createElement(tag), attributes, children);

/** A small button. @param {string} text @param {() => void} act @param {string} [label] The label for screen readers, if the text alone is not clear. */
export const createButton = (text, act, label) => {
	const button = html('button', {'type': 'button', 'class': 'small', 'aria-label': label}, text);
	button.addEventListener('click', act);
	return button;
};

/** @param {Element} row */
const keyOf = row => Object.values(/** @type {HTMLElement} */ (row).dataset).join();

/** @param {Element} row @returns {HTMLElement[]} */
const controlsOf = row => [...row.querySelectorAll('a, button, input')].filter(control => control instanceof HTMLElement);

/**
 * Replaces the rows of a list. If a control has the focus, the same one of the row with the same data has it afterwards.
 *
 * @param {HTMLElement} list
 * @param {HTMLElement[]} rows
 */
export const replaceRows = (list, ...rows) => {
	const focused = /** @type {HTMLElement} */ (document.activeElement);
	const before = [...list.children].find(row => row.contains(focused));
	list.replaceChildren(...rows);
	const after = before && rows.find(row => keyOf(row) === keyOf(before));
	if (before && after) {
		controlsOf(after)[controlsOf(before).indexOf(focused)]?.focus({preventScroll: true});
	}
};

/**
 * Creates an SVG element.
 *
 * @template {keyof SVGElementTagNameMap} K
 * @param {K} tag
 * @param {Attributes} [attributes]
 * @param {(Node | string)[]} children
 */
export const svg = (tag, attributes = {}, ...children) => setAttributes(document.createElementNS('http://www.w3.org/2000/svg', tag), attributes, children);

/**
 * Throttles a function: all calls within a delay become one call at its end.
 *
 * @param {() => void} act
 * @param {number} delayMs
 */
export const throttle = (act, delayMs) => {
	let isWaiting = false;
	return () => {
		if (!isWaiting) {
			isWaiting = true;
			setTimeout(() => {
				isWaiting = false;
				act();
			}, delayMs);
		}
	};
};

/** How far outside the window a section is already loaded, in pixels. */
const nearPx = 200;

/** @param {HTMLElement} section */
const isNear = section => {
	const {top, bottom} = section.getBoundingClientRect();
	// One pixel more than the observer's margin, since observers round.
	return section.checkVisibility() && top <= innerHeight + nearPx + 1 && bottom >= -nearPx - 1;
};

/**
 * Loads a section only once it is near the window, so a section that is never scrolled to costs no request.
 *
 * @param {HTMLElement} section
 * @param {() => Promise<unknown>} read
 * @returns {() => Promise<unknown>} Call it when the section is out of date.
 */
export const whenNear = (section, read) => {
	let isStale = false;
	// Checks the present position: content above it may have been drawn since the observer's report.
	const readIfNear = async (/** @type {boolean} */ isSeen) => {
		if (isStale && isNear(section)) {
			isStale = false;
			await read();
		} else if (isStale && isSeen) {
			// An observer does not report a section that was far for less than a frame, so observe it again.
			observer.unobserve(section);
			observer.observe(section);
		}
	};
	const observer = new IntersectionObserver(entries => {
		void readIfNear(entries.at(-1)?.isIntersecting ?? false);
	}, {rootMargin: `${nearPx}px`});
	observer.observe(section);
	return () => {
		isStale = true;
		return readIfNear(true);
	};
};

export const prefersReducedMotion = () => matchMedia('(prefers-reduced-motion: reduce)').matches;
