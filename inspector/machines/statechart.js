// @ts-check
/**
 * The statechart of one machine. For assistive technology and the keyboard its states are a list
 * in which the active ones are selected. Hovering or focusing a state or a transition shows a
 * tooltip with where it leads.
 */
import {html, svg} from '../dom.js';
import {phrase} from '../phrase.js';
import {drawArrowhead, drawLine} from './edges.js';
import {Highlighter} from './highlight.js';

/** @typedef {import('./history.js').TakenTransition} TakenTransition */
/** @typedef {import('./layout.js').Edge} Edge */
/** @typedef {import('./layout.js').Layout} Layout */
/** @typedef {import('./machine.js').Machine} Machine */
/** @typedef {import('./machine.js').State} State */
/** @typedef {import('./machine.js').Transition} Transition */

/** Transitions between the same states share an edge. @param {{from: string, to: string | null}} transition */
const edgeKey = ({from, to}) => `${from} → ${to}`;

export class Statechart {
	#machine;
	#host;
	#zoom;
	#tooltip = html('div', {class: 'tooltip', role: 'tooltip', hidden: true});
	/** @type {Map<string, SVGElement>} */
	#states = new Map();
	/** By {@link edgeKey}. @type {Map<string, SVGElement>} */
	#edges = new Map();
	/** @type {Map<string, string>} */
	#notes = new Map();
	#highlighter = new Highlighter();
	/** @type {{active: ReadonlySet<string>, isActive: boolean}} */
	#shown = {active: new Set(), isActive: false};

	/**
	 * @param {Machine} machine
	 * @param {HTMLElement} host
	 * @param {import('./zoom.js').Zoom} zoom
	 */
	constructor(machine, host, zoom) {
		this.#machine = machine;
		this.#host = host;
		this.#zoom = zoom;
		host.after(this.#tooltip);
		host.addEventListener('keydown', event => {
			if (event.key === 'Escape') {
				this.#tooltip.hidden = true;
			}
		});
		// The tooltip stays while the pointer is on it, so that it can be read.
		host.parentElement?.addEventListener('mouseleave', () => {
			this.#tooltip.hidden = true;
		});
	}

	/** @param {Layout} layout */
	draw({width, height, boxes, edges}) {
		this.#states.clear();
		this.#edges.clear();
		const list = svg('g', {'role': 'listbox', 'aria-label': phrase`States of ${this.#machine.id}`, 'aria-multiselectable': 'true'});
		for (const {id, kind, x, y, width: w, height: h} of boxes.filter(box => box.kind === 'state' || box.kind === 'group')) {
			const {name, isFinal, isParallel} = /** @type {State} */ (this.#machine.states.get(id));
			const element = svg('g', {'class': `state ${kind}${isFinal ? ' final' : ''}`, 'data-state': id, 'role': 'option', 'tabindex': -1, 'aria-selected': 'false', 'aria-description': this.#describeState(id).join('. ')},
				svg('rect', {x, y, width: w, height: h, rx: kind === 'group' ? 12 : 9}),
				...(isFinal ? [svg('rect', {class: 'inner', x: x + 3, y: y + 3, width: w - 6, height: h - 6, rx: 6})] : []),
				svg('text', kind === 'group' ? {x: x + 14, y: y + 23} : {'x': x + w / 2, 'y': y + h / 2, 'dy': '.35em', 'text-anchor': 'middle'}, name));
			element.classList.toggle('region', this.#machine.states.get(this.#machine.id)?.isParallel === true && id.split('.').length === 2 && !isParallel);
			this.#states.set(id, element);
			list.append(element);
		}

		const starts = boxes.filter(({kind}) => kind === 'start').map(({x, y, width: w}) => svg('circle', {class: 'start', cx: x + w / 2, cy: y + w / 2, r: w / 2}));
		const anys = boxes.filter(({kind}) => kind === 'any').map(({x, y, width: w, height: h}) => svg('g', {class: 'any'},
			svg('rect', {x, y, width: w, height: h, rx: h / 2}),
			svg('text', {'x': x + w / 2, 'y': y + h / 2, 'dy': '.35em', 'text-anchor': 'middle'}, 'any')));
		const drawing = svg('svg', {},
			list,
			svg('g', {'aria-hidden': 'true'}, ...starts, ...anys, ...edges.map(edge => this.#drawEdge(edge))));
		drawing.style.setProperty('--natural', `${width}px`);
		this.#host.replaceChildren(drawing);
		this.#zoom.attach(drawing, {width, height});
		this.#enableKeyboard(list);
		this.show(this.#shown.active, this.#shown.isActive);
		for (const [id, text] of this.#notes) {
			this.annotate(id, text);
		}
	}

	/**
	 * Writes a short note below a state.
	 *
	 * @param {string} id
	 * @param {string} text
	 */
	annotate(id, text) {
		this.#notes.set(id, text);
		const element = this.#states.get(id);
		const box = element?.querySelector('rect');
		if (element && box) {
			const {x, y, width, height} = box;
			element.querySelector('.note')?.remove();
			element.append(svg('text', {'class': 'note', 'x': x.baseVal.value + width.baseVal.value / 2, 'y': y.baseVal.value + height.baseVal.value + 14, 'text-anchor': 'middle'}, text));
		}
	}

	/**
	 * @param {ReadonlySet<string>} active
	 * @param {boolean} isActive Whether an actor is in these states now; otherwise the last actor ended in them.
	 */
	show(active, isActive) {
		this.#shown = {active, isActive};
		for (const [id, element] of this.#states) {
			element.classList.toggle('active', active.has(id) && isActive);
			element.classList.toggle('ended', active.has(id) && !isActive);
			element.setAttribute('aria-selected', String(active.has(id) && isActive));
		}
	}

	/** Forgets the notes and the last path. */
	clear() {
		this.#notes.clear();
		for (const note of this.#host.querySelectorAll('.note')) {
			note.remove();
		}

		this.#highlighter.follow([], false);
	}

	/**
	 * Highlights the transitions that were taken, with their states.
	 *
	 * @param {TakenTransition[]} path
	 * @param {boolean} isContinued Whether the path continues the last one.
	 */
	follow(path, isContinued) {
		const elements = path.flatMap(transition => [this.#states.get(transition.from), this.#edges.get(edgeKey(transition)), this.#states.get(transition.to)])
			.filter(element => element !== undefined)
			.filter(element => !element.classList.contains('group'));
		this.#highlighter.follow(elements.filter((element, index) => element !== elements[index - 1]), isContinued);
	}

	/** @param {Edge} edge */
	#drawEdge({transitions, labels, points, labelBox}) {
		const element = svg('g', {class: 'edge'},
			svg('path', {class: 'hit-area', d: drawLine(points)}),
			svg('path', {class: 'line', d: drawLine(points), pathLength: 1}),
			svg('path', {class: 'arrowhead', d: drawArrowhead(points)}),
			...(labelBox ? labels.map((text, index) =>
				svg('text', {'x': labelBox.x + labelBox.width / 2, 'y': labelBox.y + (index + 0.78) * (labelBox.height / labels.length), 'text-anchor': 'middle'}, text)) : []));
		for (const transition of transitions) {
			this.#edges.set(edgeKey(transition), element);
		}

		if (transitions.length > 0) {
			element.addEventListener('mouseenter', () => {
				this.#showTooltip(element, transitions.map(transition => this.#describeTransition(transition)));
			});
		}

		return element;
	}

	/**
	 * The list is one tab stop; arrow keys move from state to state.
	 *
	 * @param {SVGElement} list
	 */
	#enableKeyboard(list) {
		const elements = [...this.#states.values()];
		elements[0]?.setAttribute('tabindex', '0');
		for (const [id, element] of this.#states) {
			const showTooltip = () => {
				this.#showTooltip(element, this.#describeState(id));
			};

			element.addEventListener('focus', () => {
				this.#zoom.reveal(/** @type {SVGGElement} */ (element).getBBox());
				showTooltip();
			});
			element.addEventListener('mouseenter', showTooltip);
			element.addEventListener('blur', () => {
				this.#tooltip.hidden = true;
			});
		}

		list.addEventListener('keydown', event => {
			const at = elements.indexOf(/** @type {SVGElement} */ (event.target));
			const to = {ArrowRight: at + 1, ArrowDown: at + 1, ArrowLeft: at - 1, ArrowUp: at - 1, Home: 0, End: elements.length - 1}[event.key];
			const next = to === undefined ? undefined : elements[to];
			if (next) {
				event.preventDefault();
				elements[at]?.setAttribute('tabindex', '-1');
				next.setAttribute('tabindex', '0');
				next.focus();
			}
		});
	}

	/**
	 * What a state runs, and the transitions that leave it.
	 *
	 * @param {string} id
	 * @returns {string[]}
	 */
	#describeState(id) {
		const {entry, invokes} = /** @type {State} */ (this.#machine.states.get(id));
		return [
			...(invokes.length > 0 ? [phrase`invokes ${invokes.join(', ')}`] : []),
			...(entry.length > 0 ? [phrase`on entry ${entry.join(', ')}`] : []),
			...this.#machine.transitions.filter(({from}) => from === id).map(transition => this.#describeTransition(transition)),
		];
	}

	/** @param {Transition} transition */
	#describeTransition({label, guard, to, actions}) {
		const target = to === null ? '' : ` → ${to.slice(this.#machine.id.length + 1)}`;
		return `${label || 'always'}${guard ? ` [${guard}]` : ''}${target}${actions.length > 0 ? ` / ${actions.join(', ')}` : ''}`;
	}

	/**
	 * @param {SVGElement} element
	 * @param {string[]} sentences
	 */
	#showTooltip(element, sentences) {
		const name = element.dataset['state']?.split('.').at(-1);
		this.#tooltip.replaceChildren(
			...(name ? [html('strong', {}, name)] : []),
			sentences.length > 0 ? html('ul', {}, ...sentences.map(sentence => html('li', {}, sentence))) : html('p', {}, phrase`No transition leaves this state.`),
		);
		this.#tooltip.hidden = false;
		const card = /** @type {HTMLElement} */ (this.#host.parentElement);
		const cardBox = card.getBoundingClientRect();
		const box = element.getBoundingClientRect();
		const maxLeft = card.clientWidth - this.#tooltip.offsetWidth;
		this.#tooltip.style.left = `${Math.max(0, Math.min(box.left - cardBox.left, maxLeft))}px`;
		this.#tooltip.style.top = `${box.bottom - cardBox.top + 4}px`;
	}
}
