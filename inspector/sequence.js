// @ts-check
/**
 * Who said what to whom: the last thousand events between actors, as they come. Selecting one
 * pauses the log and shows the machines as they were after it; stepping goes from one to the
 * next. What comes meanwhile is counted, and there when the log goes on.
 */
import {byId, html} from './dom.js';
import {arrowBetween, laneOf, lanes} from './lifelines.js';
import {told} from './machine.js';
import {timeOfDay} from './format.js';

/** @typedef {import('./history.js').Entry} Entry */
/** @typedef {import('./history.js').History} History */
/** @typedef {import('./history.js').Picture} Picture */

export class Sequence {
	#history;
	/** @type {History | null} */
	#frozen = null;
	/** @type {number | null} */
	#selected = null;
	/** @type {(picture: Picture | null) => void} */
	#onPicture;
	/** @type {Map<number, HTMLElement>} */
	#rows = new Map();
	#rendered = 0;
	#actors = new Set();
	#types = new Set();

	#log = byId('log', HTMLDivElement);
	#actor = byId('filter-actor', HTMLSelectElement);
	#type = byId('filter-type', HTMLInputElement);
	#inner = byId('filter-inner', HTMLInputElement);
	#pause = byId('pause', HTMLButtonElement);
	#detail = byId('event-detail', HTMLPreElement);

	/**
	 * @param {History} history
	 * @param {(picture: Picture | null) => void} onPicture Hears the picture of the selected event, and null when the log is live again.
	 */
	constructor(history, onPicture) {
		this.#history = history;
		this.#onPicture = onPicture;
		byId('lane-names', HTMLDivElement).append(...lanes.map(lane => html('span', {class: `of-${lane}`}, lane)));

		const filter = byId('filter-form', HTMLFormElement);
		filter.addEventListener('submit', event => event.preventDefault());
		filter.addEventListener('input', () => this.#rebuild());
		this.#pause.addEventListener('click', () => this.#frozen ? this.#goOn() : this.#stop());
		byId('earlier', HTMLButtonElement).addEventListener('click', () => this.#step(-1));
		byId('later', HTMLButtonElement).addEventListener('click', () => this.#step(1));
		this.#log.addEventListener('click', ({target}) => {
			const row = target instanceof Element ? target.closest('[data-number]') : null;
			if (row instanceof HTMLElement) {
				this.#select(Number(row.dataset['number']));
			}
		});
		this.#log.addEventListener('keydown', event => {
			const steps = {ArrowUp: -1, ArrowDown: 1, PageUp: -10, PageDown: 10, Home: -Infinity, End: Infinity}[event.key];
			if (steps !== undefined) {
				event.preventDefault();
				this.#step(steps);
			} else if (event.key === 'Escape' && this.#frozen) {
				this.#goOn();
			}
		});
		this.update();
	}

	/** Shows what has come since. */
	update() {
		if (!this.#frozen) {
			this.#append();
		}

		this.#note();
	}

	clear() {
		this.#goOn();
		this.#rebuild();
	}

	#rebuild() {
		this.#rows.clear();
		this.#log.replaceChildren();
		this.#rendered = 0;
		this.#append();
		this.#mark();
		this.#note();
	}

	#append() {
		const history = this.#frozen ?? this.#history;
		const [oldest] = history.entries;
		for (const [number, row] of this.#rows) {
			if (!oldest || number >= oldest.number) {
				break;
			}

			row.remove();
			this.#rows.delete(number);
		}

		const atEnd = this.#log.scrollTop + this.#log.clientHeight > this.#log.scrollHeight - 40;
		const added = [];
		for (const entry of history.entries) {
			const row = this.#rows.get(entry.number);
			if (row) {
				settle(row, entry);
			} else if (entry.number >= this.#rendered && this.#isWanted(entry)) {
				const made = this.#row(entry);
				this.#rows.set(entry.number, made);
				added.push(made);
			}
		}

		this.#rendered = history.count;
		this.#log.append(...added);
		if (atEnd && !this.#frozen) {
			this.#log.scrollTop = this.#log.scrollHeight;
		}
	}

	/** @param {Entry} entry */
	#isWanted({from, to, type}) {
		const history = this.#frozen ?? this.#history;
		const actor = this.#actor.value;
		return (this.#inner.checked || !type.startsWith('xstate.'))
			&& (actor === '' || history.session(from)?.machine === actor || history.session(to)?.machine === actor)
			&& type.includes(this.#type.value.trim());
	}

	/** @param {Entry} entry */
	#row(entry) {
		const {number, time, from, to, type} = entry;
		const history = this.#frozen ?? this.#history;
		const [source, target] = [history.session(from), history.session(to)];
		this.#offer(this.#actors, this.#actor, target?.machine);
		this.#offer(this.#types, byId('event-types', HTMLDataListElement), type);
		const row = html('div', {'id': `event-${number}`, 'class': 'event', 'role': 'option', 'aria-selected': 'false', 'data-number': number, 'data-type': type},
			html('time', {datetime: new Date(time).toISOString()}, timeOfDay(time)),
			arrowBetween(laneOf(from === null ? undefined : source?.machine ?? ''), laneOf(target?.machine ?? '')),
			html('span', {class: 'who'}, `${from === null ? 'outside' : labelOf(source)} → ${labelOf(target)}`),
			html('span', {class: 'type'}, type),
			html('span', {class: 'became'}));
		settle(row, entry);
		return row;
	}

	/**
	 * @param {Set<unknown>} offered
	 * @param {HTMLElement} list
	 * @param {string | undefined} value
	 */
	#offer(offered, list, value) {
		if (value !== undefined && !offered.has(value)) {
			offered.add(value);
			list.append(html('option', {value}, value));
		}
	}

	/** @param {number} by How many of the shown events, later ones being positive. */
	#step(by) {
		const numbers = [...this.#rows.keys()];
		const at = this.#selected === null ? numbers.length : numbers.indexOf(this.#selected);
		const next = numbers[Math.max(0, Math.min(numbers.length - 1, at + by))];
		if (next !== undefined) {
			this.#select(next);
		}
	}

	/** @param {number} number */
	#select(number) {
		this.#stop();
		this.#selected = number;
		this.#mark();
		const entry = this.#frozen?.entries.find(one => one.number === number);
		this.#detail.hidden = entry === undefined;
		this.#detail.textContent = JSON.stringify(entry?.event, null, 2);
		this.#onPicture(this.#frozen?.picture(number) ?? null);
		this.#note();
	}

	#mark() {
		for (const selected of this.#log.querySelectorAll('[aria-selected=true]')) {
			selected.setAttribute('aria-selected', 'false');
		}

		const row = this.#selected === null ? undefined : this.#rows.get(this.#selected);
		if (row) {
			row.setAttribute('aria-selected', 'true');
			this.#log.setAttribute('aria-activedescendant', row.id);
			row.scrollIntoView({block: 'nearest'});
		} else {
			this.#log.removeAttribute('aria-activedescendant');
		}
	}

	#stop() {
		this.#frozen ??= this.#history.frozen();
		this.#pause.textContent = 'Go on';
		this.#pause.setAttribute('aria-pressed', 'true');
		this.#note();
	}

	#goOn() {
		this.#frozen = null;
		this.#selected = null;
		this.#pause.textContent = 'Pause';
		this.#pause.setAttribute('aria-pressed', 'false');
		this.#detail.hidden = true;
		this.#mark();
		this.#onPicture(null);
		this.#rebuild();
		this.#log.scrollTop = this.#log.scrollHeight;
	}

	#note() {
		const {entries, count} = this.#frozen ?? this.#history;
		const shown = `${this.#rows.size} of the last ${entries.length} events.`;
		const waiting = this.#history.count - count;
		byId('sequence-note', HTMLParagraphElement).textContent = this.#frozen
			? `Paused at ${this.#selected === null ? 'the last event' : `event ${this.#selected + 1}`}: ${this.#selected === null ? '' : 'the machines stand as they did after it. '}${shown} ${waiting} have come since.`
			: `${shown} Select one, or step back, to see the machines as they were.`;
	}
}

/**
 * @param {HTMLElement} row
 * @param {Entry} entry
 */
const settle = (row, {became}) => {
	const place = row.lastElementChild;
	if (place && became && place.textContent === '') {
		place.textContent = told(became.value);
	}
};

/** @param {import('./history.js').Session | undefined} session */
const labelOf = session => session === undefined ? 'someone' : (session.name === session.id ? session.machine : session.name).replace(/^\d+\./, '').replace(/-([\da-f]{4})[\da-f-]{8,}$/, ' $1');
