// @ts-check
/** Finds and creates elements. Their looks come from classes and attributes only. */

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
 * A function that calls another after a delay, once for all calls within it.
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

/** How far outside the window a section is read already, in pixels. */
const nearPx = 200;

/** @param {HTMLElement} section */
const isNear = section => {
	const {top, bottom} = section.getBoundingClientRect();
	// A pixel more than an observer sees, which rounds.
	return section.checkVisibility() && top <= innerHeight + nearPx + 1 && bottom >= -nearPx - 1;
};

/**
 * A function that reads a section once it is near the window: who never scrolls to it asks nothing.
 *
 * @param {HTMLElement} section
 * @param {() => Promise<unknown>} read
 * @returns {() => Promise<unknown>} Call it when what the section shows is no longer true.
 */
export const whenNear = (section, read) => {
	let isStale = false;
	// Where it is now, not where an observer saw it: what stands above may have been drawn since.
	const readIfNear = async (/** @type {boolean} */ isSeen) => {
		if (isStale && isNear(section)) {
			isStale = false;
			await read();
		} else if (isStale && isSeen) {
			// An observer that saw it near says nothing where it was far for less than a frame: so it begins again.
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
