// @ts-check
/**
 * The log of events between actors: the last 1000, as they arrive. Selecting one pauses the log
 * and shows the machines as they were after it. Events that arrive while the log is paused are
 * counted, and shown when it resumes.
 */
import {getById, html} from '../dom.js';
import {formatTime} from '../format.js';
import {phrase, translated} from '../phrase.js';
import {drawMessage, lifelineOf, lifelines} from './lifelines.js';
import {formatValue} from './machine.js';

/** @typedef {import('./history.js').Actor} Actor */
/** @typedef {import('./history.js').Entry} Entry */
/** @typedef {import('./history.js').History} History */
/** @typedef {import('./history.js').SystemSnapshot} SystemSnapshot */

export class Sequence {
	#history;
	/** The history as it was when the log was paused. @type {History | null} */
	#frozen = null;
	/** @type {number | null} */
	#selected = null;
	/** @type {(snapshot: SystemSnapshot | null) => void} */
	#onSelect;
	/** @type {Map<number, HTMLElement>} */
	#rows = new Map();
	/** Number of the first event that is not rendered yet. */
	#rendered = 0;
	#actorOptions = new Set();
	#typeOptions = new Set();

	#log = getById('log', HTMLDivElement);
	#actorFilter = getById('filter-actor', HTMLSelectElement);
	#typeFilter = getById('filter-type', HTMLInputElement);
	#internalFilter = getById('filter-internal', HTMLInputElement);
	#pauseButton = getById('pause', HTMLButtonElement);
	#detail = getById('event-detail', HTMLPreElement);

	/**
	 * @param {History} history
	 * @param {(snapshot: SystemSnapshot | null) => void} onSelect Called with the snapshot after the selected event, and with null when the log is live again.
	 */
	constructor(history, onSelect) {
		this.#history = history;
		this.#onSelect = onSelect;
		getById('lifeline-names', HTMLDivElement).append(...lifelines.map(name => html('span', {}, translated(name))));

		const filter = getById('filter-form', HTMLFormElement);
		filter.addEventListener('submit', event => event.preventDefault());
		filter.addEventListener('input', () => this.#rebuild());
		this.#pauseButton.addEventListener('click', () => this.#frozen ? this.#resume() : this.#pause());
		getById('earlier', HTMLButtonElement).addEventListener('click', () => this.#step(-1));
		getById('later', HTMLButtonElement).addEventListener('click', () => this.#step(1));
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
				this.#resume();
			}
		});
		this.update();
	}

	/** Shows new events, unless the log is paused. */
	update() {
		if (!this.#frozen) {
			this.#append();
		}

		this.#showNote();
	}

	clear() {
		this.#resume();
		this.#rebuild();
	}

	#rebuild() {
		this.#rows.clear();
		this.#log.replaceChildren();
		this.#rendered = 0;
		this.#append();
		this.#markSelected();
		this.#showNote();
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

		const isAtEnd = this.#log.scrollTop + this.#log.clientHeight > this.#log.scrollHeight - 40;
		const added = [];
		for (const entry of history.entries) {
			const row = this.#rows.get(entry.number);
			if (row) {
				showResult(row, entry);
			} else if (entry.number >= this.#rendered && this.#isIncluded(entry)) {
				const newRow = this.#createRow(entry);
				this.#rows.set(entry.number, newRow);
				added.push(newRow);
			}
		}

		this.#rendered = history.count;
		this.#log.append(...added);
		if (isAtEnd && !this.#frozen) {
			this.#log.scrollTop = this.#log.scrollHeight;
		}
	}

	/** @param {Entry} entry */
	#isIncluded({from, to, type}) {
		const history = this.#frozen ?? this.#history;
		const machine = this.#actorFilter.value;
		return (this.#internalFilter.checked || !type.startsWith('xstate.'))
			&& (machine === '' || history.getActor(from)?.machine === machine || history.getActor(to)?.machine === machine)
			&& type.includes(this.#typeFilter.value.trim());
	}

	/** @param {Entry} entry */
	#createRow(entry) {
		const {number, time, from, to, type} = entry;
		const history = this.#frozen ?? this.#history;
		const [source, target] = [history.getActor(from), history.getActor(to)];
		addOption(this.#actorOptions, this.#actorFilter, target?.machine);
		addOption(this.#typeOptions, getById('event-types', HTMLDataListElement), type);
		const row = html('div', {'id': `event-${number}`, 'class': 'event', 'role': 'option', 'aria-selected': 'false', 'data-number': number, 'data-type': type},
			html('time', {datetime: new Date(time).toISOString()}, formatTime(time)),
			drawMessage(lifelineOf(from === null ? undefined : source?.machine ?? ''), lifelineOf(target?.machine ?? '')),
			html('span', {class: 'actors'}, `${from === null ? phrase`outside` : labelOf(source)} → ${labelOf(target)}`),
			html('span', {class: 'type'}, type),
			html('span', {class: 'result'}));
		showResult(row, entry);
		return row;
	}

	/** @param {number} by How many of the shown events; later ones are positive. */
	#step(by) {
		const numbers = [...this.#rows.keys()];
		const index = this.#selected === null ? numbers.length : numbers.indexOf(this.#selected);
		const next = numbers[Math.max(0, Math.min(numbers.length - 1, index + by))];
		if (next !== undefined) {
			this.#select(next);
		}
	}

	/** @param {number} number */
	#select(number) {
		this.#pause();
		this.#selected = number;
		this.#markSelected();
		const entry = this.#frozen?.entries.find(one => one.number === number);
		this.#detail.hidden = entry === undefined;
		this.#detail.textContent = JSON.stringify(entry?.event, null, 2);
		this.#onSelect(this.#frozen?.getSnapshot(number) ?? null);
		this.#showNote();
	}

	#markSelected() {
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

	#pause() {
		this.#frozen ??= this.#history.freeze();
		this.#pauseButton.textContent = phrase`Resume`;
		this.#pauseButton.setAttribute('aria-pressed', 'true');
		this.#showNote();
	}

	#resume() {
		this.#frozen = null;
		this.#selected = null;
		this.#pauseButton.textContent = phrase`Pause`;
		this.#pauseButton.setAttribute('aria-pressed', 'false');
		this.#detail.hidden = true;
		this.#markSelected();
		this.#onSelect(null);
		this.#rebuild();
		this.#log.scrollTop = this.#log.scrollHeight;
	}

	#showNote() {
		const {entries, count} = this.#frozen ?? this.#history;
		const shown = phrase`${this.#rows.size} of the last ${entries.length} events.`;
		const waiting = this.#history.count - count;
		const selection = this.#selected === null ? phrase`Paused.` : phrase`Paused at event ${this.#selected + 1}: the machines are shown as they were after it.`;
		getById('sequence-note', HTMLParagraphElement).textContent = this.#frozen
			? `${selection} ${shown} ${phrase`${waiting} have arrived since.`}`
			: `${shown} ${phrase`Select one, or step back, to see the machines as they were.`}`;
	}
}

/**
 * @param {HTMLElement} row
 * @param {Entry} entry
 */
const showResult = (row, {result}) => {
	const element = row.lastElementChild;
	if (element && result && element.textContent === '') {
		element.textContent = formatValue(result.value);
	}
};

/**
 * Adds an option to a list, once.
 *
 * @param {Set<unknown>} options
 * @param {HTMLElement} list
 * @param {string | undefined} value
 */
const addOption = (options, list, value) => {
	if (value !== undefined && !options.has(value)) {
		options.add(value);
		list.append(html('option', {value}, value));
	}
};

/** The name of an actor, with long random ids cut. @param {Actor | undefined} actor */
const labelOf = actor => actor === undefined ? phrase`unknown` : (actor.name === actor.id ? actor.machine : actor.name).replace(/^\d+\./, '').replace(/-([\da-f]{4})[\da-f-]{8,}$/, ' $1');
