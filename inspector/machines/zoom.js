// @ts-check
/**
 * Zoom and pan of a drawing that fits its place at first: buttons, the wheel with Ctrl, two
 * fingers, dragging, and the keys + − 0. The wheel alone scrolls the page.
 */
import {html} from '../dom.js';
import {phrase} from '../phrase.js';

/** @typedef {import('./layout.js').Area} Area */

const maxScale = 8;
const step = 1.4;
const outline = 3;

export class Zoom {
	#host;
	/** @type {SVGSVGElement | null} */
	#drawing = null;
	#size = {width: 1, height: 1};
	/** The part of the drawing that is shown: its top left corner, and its magnification. */
	#view = {x: 0, y: 0, scale: 1};
	/** The position of each pressed pointer: a finger, or the mouse. @type {Map<number, {x: number, y: number}>} */
	#pointers = new Map();

	/**
	 * @param {HTMLElement} host
	 * @param {string} name The name of the drawing.
	 */
	constructor(host, name) {
		this.#host = host;
		host.addEventListener('wheel', event => {
			if (event.ctrlKey || event.metaKey) {
				event.preventDefault();
				this.#zoomBy(Math.exp(-event.deltaY / 200), {x: event.clientX, y: event.clientY});
			}
		}, {passive: false});
		host.addEventListener('pointerdown', event => this.#pointers.set(event.pointerId, {x: event.clientX, y: event.clientY}));
		addEventListener('pointermove', event => this.#drag(event));
		for (const type of /** @type {const} */ (['pointerup', 'pointercancel'])) {
			addEventListener(type, ({pointerId}) => this.#pointers.delete(pointerId));
		}

		host.addEventListener('keydown', ({key}) => {
			if (key === '+' || key === '-') {
				this.#zoomBy(key === '+' ? step : 1 / step);
			} else if (key === '0') {
				this.fit();
			}
		});
		this.buttons = html('span', {class: 'zoom'}, ...[
			{label: phrase`Zoom out of ${name}`, text: '−', act: () => this.#zoomBy(1 / step)},
			{label: phrase`Fit ${name}`, text: phrase`Fit`, act: () => this.fit()},
			{label: phrase`Zoom in on ${name}`, text: '+', act: () => this.#zoomBy(step)},
		].map(({label, text, act}) => {
			const button = html('button', {'type': 'button', 'aria-label': label}, text);
			button.addEventListener('click', act);
			return button;
		}));
	}

	/**
	 * Takes a new drawing, and fits it.
	 *
	 * @param {SVGSVGElement} drawing
	 * @param {{width: number, height: number}} size
	 */
	attach(drawing, size) {
		this.#drawing = drawing;
		this.#size = size;
		this.fit();
	}

	fit() {
		this.#view = {x: 0, y: 0, scale: 1};
		this.#apply();
	}

	/** Pans, if necessary, until this part of the drawing is visible with its outline. @param {Area} area */
	reveal({x, y, width, height}) {
		const {view, seen} = this.#seen();
		view.x = Math.min(Math.max(view.x, x + width + outline - seen.width), x - outline);
		view.y = Math.min(Math.max(view.y, y + height + outline - seen.height), y - outline);
		this.#apply();
	}

	#seen() {
		return {view: this.#view, seen: {width: this.#size.width / this.#view.scale, height: this.#size.height / this.#view.scale}};
	}

	/**
	 * @param {number} factor
	 * @param {{x: number, y: number}} [point] The point of the screen that stays in place; the middle by default.
	 */
	#zoomBy(factor, point) {
		const box = this.#drawing?.getBoundingClientRect();
		if (box) {
			const {view, seen} = this.#seen();
			const share = point ? {x: (point.x - box.x) / box.width, y: (point.y - box.y) / box.height} : {x: 0.5, y: 0.5};
			const scale = Math.max(1, Math.min(maxScale, view.scale * factor));
			view.x += share.x * (seen.width - this.#size.width / scale);
			view.y += share.y * (seen.height - this.#size.height / scale);
			view.scale = scale;
			this.#apply();
		}
	}

	/** One pointer pans; two pan, and zoom by their distance. @param {PointerEvent} event */
	#drag({pointerId, clientX: x, clientY: y}) {
		const before = this.#pointers.get(pointerId);
		const box = this.#drawing?.getBoundingClientRect();
		if (!before || !box || (this.#view.scale === 1 && this.#pointers.size < 2)) {
			return;
		}

		const {view, seen} = this.#seen();
		view.x -= (x - before.x) / this.#pointers.size * seen.width / box.width;
		view.y -= (y - before.y) / this.#pointers.size * seen.height / box.height;
		const [other] = [...this.#pointers].filter(([id]) => id !== pointerId).map(([, place]) => place);
		this.#pointers.set(pointerId, {x, y});
		if (other) {
			const distance = Math.max(1, Math.hypot(before.x - other.x, before.y - other.y));
			this.#zoomBy(Math.hypot(x - other.x, y - other.y) / distance, {x: (x + other.x) / 2, y: (y + other.y) / 2});
		} else {
			this.#apply();
		}
	}

	#apply() {
		const {view, seen} = this.#seen();
		view.x = Math.max(0, Math.min(view.x, this.#size.width - seen.width));
		view.y = Math.max(0, Math.min(view.y, this.#size.height - seen.height));
		this.#drawing?.setAttribute('viewBox', `${view.x} ${view.y} ${seen.width} ${seen.height}`);
		this.#host.classList.toggle('zoomed', view.scale > 1);
	}
}
