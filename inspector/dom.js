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

export const prefersReducedMotion = () => matchMedia('(prefers-reduced-motion: reduce)').matches;
