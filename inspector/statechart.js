// @ts-check
/**
 * One machine as a drawing. Its states form a list to assistive technology and to the keyboard,
 * the active ones selected; hovering or focusing one, or a way, tells where it leads.
 */
import {html, svg} from './dom.js';
import {Glow} from './highlight.js';
import {arrowAt, pathThrough} from './edges.js';

/** @typedef {import('./layout.js').Layout} Layout */
/** @typedef {import('./layout.js').Line} Line */
/** @typedef {import('./machine.js').Machine} Machine */
/** @typedef {import('./machine.js').Way} Way */

export class Statechart {
	#machine;
	#host;
	#tip = html('div', {class: 'tip', role: 'tooltip', hidden: true});
	/** @type {Map<string, SVGElement>} */
	#states = new Map();
	/** @type {Map<Way, SVGElement>} */
	#ways = new Map();
	/** @type {Map<string, string>} */
	#notes = new Map();
	#glow = new Glow();
	/** @type {{active: ReadonlySet<string>, isLiving: boolean}} */
	#shown = {active: new Set(), isLiving: false};

	/**
	 * @param {Machine} machine
	 * @param {HTMLElement} host
	 */
	constructor(machine, host) {
		this.#machine = machine;
		this.#host = host;
		host.after(this.#tip);
		host.addEventListener('keydown', event => {
			if (event.key === 'Escape') {
				this.#tip.hidden = true;
			}
		});
		// It stays while the pointer is on it, to be read in peace.
		host.parentElement?.addEventListener('mouseleave', () => {
			this.#tip.hidden = true;
		});
	}

	/** @param {Layout} layout */
	draw({width, height, boxes, lines}) {
		this.#states.clear();
		this.#ways.clear();
		const states = boxes.filter(({kind}) => kind === 'state' || kind === 'group');
		const list = svg('g', {'role': 'listbox', 'aria-label': `States of ${this.#machine.id}`, 'aria-multiselectable': 'true'});
		for (const {id, kind, x, y, width: w, height: h} of states) {
			const {name, isFinal, isParallel} = /** @type {import('./machine.js').State} */ (this.#machine.states.get(id));
			const element = svg('g', {'class': `state ${kind}${isFinal ? ' final' : ''}`, 'data-state': id, 'role': 'option', 'tabindex': -1, 'aria-selected': 'false', 'aria-description': this.#waysOut(id).join('. ')},
				svg('rect', {x, y, width: w, height: h, rx: kind === 'group' ? 12 : 9}),
				...(isFinal ? [svg('rect', {class: 'inner', x: x + 3, y: y + 3, width: w - 6, height: h - 6, rx: 6})] : []),
				svg('text', kind === 'group' ? {x: x + 14, y: y + 23} : {'x': x + w / 2, 'y': y + h / 2, 'dy': '.35em', 'text-anchor': 'middle'}, name));
			element.classList.toggle('region', this.#machine.states.get(this.#machine.id)?.isParallel === true && id.split('.').length === 2 && !isParallel);
			this.#states.set(id, element);
			list.append(element);
		}

		const dots = boxes.filter(({kind}) => kind === 'start').map(({x, y, width: w}) => svg('circle', {class: 'start', cx: x + w / 2, cy: y + w / 2, r: w / 2}));
		const anys = boxes.filter(({kind}) => kind === 'any').map(({x, y, width: w, height: h}) => svg('g', {class: 'any'},
			svg('rect', {x, y, width: w, height: h, rx: h / 2}),
			svg('text', {'x': x + w / 2, 'y': y + h / 2, 'dy': '.35em', 'text-anchor': 'middle'}, 'any')));
		const drawing = svg('svg', {viewBox: `0 0 ${width} ${height}`},
			list,
			svg('g', {'aria-hidden': 'true'}, ...dots, ...anys, ...lines.map(line => this.#line(line))));
		drawing.style.setProperty('--natural', `${width}px`);
		this.#host.replaceChildren(drawing);
		this.#host.scrollLeft = (this.#host.scrollWidth - this.#host.clientWidth) / 2;
		this.#makeReachable(list);
		this.show(this.#shown.active, this.#shown.isLiving);
		for (const [id, text] of this.#notes) {
			this.annotate(id, text);
		}
	}

	/**
	 * Puts a few words under a state.
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
	 * @param {boolean} isLiving Whether an actor is in these states now; otherwise they are where the last one ended.
	 */
	show(active, isLiving) {
		this.#shown = {active, isLiving};
		for (const [id, element] of this.#states) {
			const isActive = active.has(id);
			element.classList.toggle('active', isActive && isLiving);
			element.classList.toggle('ended', isActive && !isLiving);
			element.setAttribute('aria-selected', String(isActive && isLiving));
		}
	}

	/**
	 * Lights up the ways that were taken, with the states they led through.
	 *
	 * @param {Way[]} path
	 * @param {boolean} goesOn Whether it is the same path that goes on.
	 */
	follow(path, goesOn) {
		const elements = path.flatMap(way => [this.#states.get(way.from), this.#ways.get(way), this.#states.get(way.to ?? way.from)]);
		const leaves = elements.filter(element => element !== undefined).filter(element => !element.classList.contains('group'));
		this.#glow.follow(leaves.filter((element, index) => element !== leaves[index - 1]), goesOn);
	}

	/** @param {Line} line */
	#line({ways, lines, points, label}) {
		const element = svg('g', {class: 'way'},
			svg('path', {class: 'reach', d: pathThrough(points)}),
			svg('path', {class: 'line', d: pathThrough(points), pathLength: 1}),
			svg('path', {class: 'arrow', d: arrowAt(points)}),
			...(label ? lines.map((text, index) =>
				svg('text', {'x': label.x + label.width / 2, 'y': label.y + (index + 0.78) * (label.height / lines.length), 'text-anchor': 'middle'}, text)) : []));
		for (const way of ways) {
			this.#ways.set(way, element);
		}

		if (ways.length > 0) {
			element.addEventListener('mouseenter', () => {
				this.#tell(element, ways.map(way => this.#sentence(way)));
			});
		}

		return element;
	}

	/**
	 * One stop for the tab key; arrows go from state to state.
	 *
	 * @param {SVGElement} list
	 */
	#makeReachable(list) {
		const elements = [...this.#states.values()];
		elements[0]?.setAttribute('tabindex', '0');
		for (const [id, element] of this.#states) {
			const tell = () => {
				this.#tell(element, this.#waysOut(id));
			};

			element.addEventListener('focus', tell);
			element.addEventListener('mouseenter', tell);
			element.addEventListener('blur', () => {
				this.#tip.hidden = true;
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
	 * @param {string} id
	 * @returns {string[]}
	 */
	#waysOut(id) {
		const {entry, invokes} = /** @type {import('./machine.js').State} */ (this.#machine.states.get(id));
		return [
			...(invokes.length > 0 ? [`runs ${invokes.join(', ')}`] : []),
			...(entry.length > 0 ? [`begins with ${entry.join(', ')}`] : []),
			...this.#machine.ways.filter(({from}) => from === id).map(way => this.#sentence(way)),
		];
	}

	/** @param {Way} way */
	#sentence({label, guard, to, actions}) {
		const where = to === null ? '' : ` → ${to.slice(this.#machine.id.length + 1)}`;
		return `${label || 'at once'}${guard ? ` [${guard}]` : ''}${where}${actions.length > 0 ? ` / ${actions.join(', ')}` : ''}`;
	}

	/**
	 * @param {SVGElement} element
	 * @param {string[]} sentences
	 */
	#tell(element, sentences) {
		const name = element.dataset['state']?.split('.').at(-1);
		this.#tip.replaceChildren(
			...(name ? [html('strong', {}, name)] : []),
			sentences.length > 0 ? html('ul', {}, ...sentences.map(sentence => html('li', {}, sentence))) : html('p', {}, 'Nothing leads out of it.'),
		);
		this.#tip.hidden = false;
		const card = /** @type {HTMLElement} */ (this.#host.parentElement);
		const place = card.getBoundingClientRect();
		const box = element.getBoundingClientRect();
		const room = card.clientWidth - this.#tip.offsetWidth;
		this.#tip.style.left = `${Math.max(0, Math.min(box.left - place.left, room))}px`;
		this.#tip.style.top = `${box.bottom - place.top + 4}px`;
	}
}
