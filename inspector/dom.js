// @ts-check
/** To find elements and to make them. Looks are given by classes and attributes alone. */

/**
 * The element of this id.
 *
 * @template {Element} T
 * @param {string} id
 * @param {new () => T} kind
 * @returns {T}
 * @throws where the page has no such element
 */
export const byId = (id, kind) => {
	const found = document.getElementById(id);
	if (!(found instanceof kind)) {
		throw new TypeError(`The page has no ${kind.name} “${id}”.`);
	}

	return found;
};

/** @typedef {Record<string, string | number | boolean | null | undefined>} Attributes */

/**
 * Attributes that are false, null or undefined are left out; true stands for an empty one.
 *
 * @template {Element} T
 * @param {T} element
 * @param {Attributes} attributes
 * @param {(Node | string)[]} children
 * @returns {T}
 */
const dress = (element, attributes, children) => {
	for (const [name, value] of Object.entries(attributes)) {
		if (value !== false && value !== null && value !== undefined) {
			element.setAttribute(name, value === true ? '' : String(value));
		}
	}

	element.append(...children);
	return element;
};

/**
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Attributes} [attributes]
 * @param {(Node | string)[]} children
 */
export const html = (tag, attributes = {}, ...children) => dress(document.createElement(tag), attributes, children);

/**
 * @template {keyof SVGElementTagNameMap} K
 * @param {K} tag
 * @param {Attributes} [attributes]
 * @param {(Node | string)[]} children
 */
export const svg = (tag, attributes = {}, ...children) => dress(document.createElementNS('http://www.w3.org/2000/svg', tag), attributes, children);

/**
 * A function that calls another soon, once for however many calls came meanwhile.
 *
 * @param {() => void} act
 * @param {number} milliseconds
 */
export const soon = (act, milliseconds) => {
	let isWaiting = false;
	return () => {
		if (!isWaiting) {
			isWaiting = true;
			setTimeout(() => {
				isWaiting = false;
				act();
			}, milliseconds);
		}
	};
};

/** Whether who looks wants things to stand still. */
export const wantsStillness = () => matchMedia('(prefers-reduced-motion: reduce)').matches;
