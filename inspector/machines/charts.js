// @ts-check
/** The statecharts of all machines, kept up to date with the inspection. */
import {html, throttle} from '../dom.js';
import {phrase} from '../phrase.js';
import {layOut, pickLayout} from './layout.js';
import {formatValue, listActiveStates, readMachine} from './machine.js';
import {Statechart} from './statechart.js';
import {Zoom} from './zoom.js';

/** @typedef {import('./history.js').ActorStatus} ActorStatus */
/** @typedef {import('./history.js').SystemSnapshot} SystemSnapshot */
/** @typedef {import('./machine.js').Machine} Machine */
/** @typedef {{machine: Machine, chart: Statechart, host: HTMLElement, status: HTMLElement}} Card */

const descriptions = /** @type {Record<string, string>} */ ({
	process: phrase`boots, then serves requests`,
	boot: phrase`prepares the identity, step by step`,
	daemon: phrase`the mode, and the autonomous loop`,
	cycle: phrase`applies one text to the state`,
});

/** Machines whose actors run once: all transitions of an actor stay marked, not only the last ones. */
const singleRun = new Set(['boot', 'cycle']);

/** The machines that change most come first. */
const order = ['daemon', 'cycle', 'process', 'boot'];

export class Charts {
	/** @type {Map<string, Card>} */
	#cards = new Map();
	/** Machine → the status of an actor that ended before it could be inspected. @type {Map<string, ActorStatus>} */
	#reported = new Map();
	/** Machine → the actor that was followed last. @type {Map<string, string>} */
	#followed = new Map();

	#parent;
	#layouts;

	/** Whether the charts show the present, rather than what was seen last. */
	isLive = false;

	/**
	 * @param {HTMLElement} parent
	 * @param {any[]} definitions
	 * @param {import('./layout.js').StoredLayouts} layouts
	 */
	constructor(parent, definitions, layouts) {
		this.#parent = parent;
		this.#layouts = layouts;
		const machines = definitions.map(readMachine).toSorted((one, other) => order.indexOf(one.id) - order.indexOf(other.id));
		for (const machine of machines) {
			const host = html('div', {class: 'drawing'});
			const status = html('span', {class: 'status'}, '…');
			const title = `machine-${machine.id}`;
			const zoom = new Zoom(host, machine.id);
			parent.append(html('section', {'class': `card machine ${machine.id}`, 'aria-labelledby': title, 'data-machine': machine.id},
				html('header', {}, html('h3', {id: title}, machine.id), html('span', {class: 'description'}, descriptions[machine.id] ?? ''), status, zoom.buttons),
				host));
			this.#cards.set(machine.id, {machine, host, status, chart: new Statechart(machine, host, zoom)});
		}

		this.#draw();
	}

	/** Draws each chart once its host has a width, and again when that width needs another layout. */
	#draw() {
		/** @type {Map<string, string>} */
		const drawn = new Map();
		const drawAll = () => {
			for (const {machine, chart, host} of this.#cards.values()) {
				const [variant, layout] = pickLayout(this.#layouts[machine.id] ?? {}, host.clientWidth);
				if (host.clientWidth > 0 && drawn.get(machine.id) !== variant) {
					drawn.set(machine.id, variant);
					chart.draw(layOut(machine, layout));
				}
			}
		};
		new ResizeObserver(throttle(drawAll, 100)).observe(this.#parent);
	}

	/** @param {SystemSnapshot} system */
	show(system) {
		for (const [id, {machine, chart, status}] of this.#cards) {
			const actors = (system.get(id) ?? []).map(actor => actor.status);
			const active = actors.filter(({isActive}) => isActive);
			const last = actors.at(-1) ?? this.#reported.get(id);
			const shown = active.length > 0 ? active : last ? [last] : [];
			chart.show(new Set(shown.flatMap(({value}) => [...listActiveStates(machine, value)])), active.length > 0);
			const text = active.length > 1 ? phrase`${active.length} at once` : formatStatus(shown[0]);
			status.textContent = this.isLive || shown.length === 0 ? text : phrase`last seen: ${text}`;
		}
	}

	/**
	 * Notes that a machine has left a state, and how long it was there.
	 *
	 * @param {string} id
	 * @param {string} name Of the state.
	 * @param {string} note
	 */
	reportPassed(id, name, note) {
		const card = this.#cards.get(id);
		const next = card?.machine.transitions.find(({from, to}) => from === `${id}.${name}` && to !== null)?.to?.slice(id.length + 1);
		if (card && next) {
			card.chart.annotate(`${id}.${name}`, note);
			this.#reported.set(id, {value: next, isActive: card.machine.states.get(`${id}.${next}`)?.isFinal === false});
		}
	}

	/** Forgets what an earlier run has reported. */
	clear() {
		this.#reported.clear();
		for (const {chart} of this.#cards.values()) {
			chart.clear();
		}
	}

	/**
	 * Highlights the transitions that an actor has just taken.
	 *
	 * @param {import('./history.js').Step} step
	 */
	follow({actor: {id, machine}, transitions}) {
		const card = this.#cards.get(machine);
		// After an event without a transition, the last path stays marked.
		if (card && transitions.length > 0) {
			card.chart.follow(transitions, singleRun.has(machine) && this.#followed.get(machine) === id);
			this.#followed.set(machine, id);
		}
	}
}

/** @param {ActorStatus | undefined} status */
const formatStatus = status => {
	if (status === undefined) {
		return phrase`not seen yet`;
	}

	return status.isActive ? formatValue(status.value) : phrase`ended: ${formatValue(status.value)}`;
};
