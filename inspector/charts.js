// @ts-check
/** The drawings of all machines, kept at what the inspection tells. */
import {html, soon} from './dom.js';
import {layOut} from './layout.js';
import {activeStates, isWaiting, readMachine, told} from './machine.js';
import {Statechart} from './statechart.js';
import {takenPath} from './taken-path.js';

/** @typedef {import('./history.js').Picture} Picture */
/** @typedef {import('./history.js').Rest} Rest */
/** @typedef {import('./machine.js').Machine} Machine */
/** @typedef {{machine: Machine, chart: Statechart, host: HTMLElement, standing: HTMLElement}} Card */

/** What each machine is, in a few words. */
const meanings = /** @type {Record<string, string>} */ ({
	process: 'boots, then takes what comes',
	boot: 'makes ready, step by step',
	daemon: 'its mode, and the loop that thinks by itself',
	cycle: 'one text’s way into the state',
});

/** Machines whose actors live for one thing: the whole way of the last one stays marked, of others the last step. */
const brief = new Set(['boot', 'cycle']);

/** The order in which they are looked at, the liveliest first. */
const order = ['daemon', 'cycle', 'process', 'boot'];

/**
 * Where there is little room, drawings go downwards; where there is much, regions lie beside one another.
 *
 * @param {number} width
 * @returns {import('./layout.js').Room}
 */
const roomIn = width => width < 560
	? {direction: 'DOWN', besides: true, aspect: 1.3}
	: {direction: 'RIGHT', besides: width > 1150, aspect: Math.min(5, Math.round(width / 160))};

export class Charts {
	/** @type {Map<string, Card>} */
	#cards = new Map();
	/** Where machines rest whose actors were gone before they could be seen. @type {Map<string, Rest>} */
	#told = new Map();
	/** Machine → the actor that was followed last. @type {Map<string, string>} */
	#followed = new Map();
	/**
	 * @param {HTMLElement} place
	 * @param {any[]} definitions
	 */
	constructor(place, definitions) {
		const machines = definitions.map(readMachine).toSorted((one, other) => order.indexOf(one.id) - order.indexOf(other.id));
		for (const machine of machines) {
			const host = html('div', {class: 'drawing'});
			const standing = html('span', {class: 'standing'}, '…');
			const title = `machine-${machine.id}`;
			place.append(html('section', {'class': `card machine ${machine.id}`, 'aria-labelledby': title, 'data-machine': machine.id},
				html('header', {}, html('h3', {id: title}, machine.id), html('span', {class: 'meaning'}, meanings[machine.id] ?? ''), standing),
				host));
			this.#cards.set(machine.id, {machine, host, standing, chart: new Statechart(machine, host)});
		}
	}

	/** Draws everything, and again when there is more or less room. */
	async draw() {
		/** @type {Map<string, string>} */
		const drawn = new Map();
		const drawAll = () => Promise.all([...this.#cards.values()].map(async ({machine, chart, host}) => {
			const room = roomIn(host.clientWidth);
			const manner = JSON.stringify(room);
			if (host.clientWidth > 0 && drawn.get(machine.id) !== manner) {
				drawn.set(machine.id, manner);
				chart.draw(await layOut(machine, room, measures()));
			}
		}));
		await drawAll();
		addEventListener('resize', soon(() => {
			void drawAll();
		}, 200));
	}

	/** @param {Picture} picture */
	show(picture) {
		for (const [id, {machine, chart, standing}] of this.#cards) {
			const rests = (picture.get(id) ?? []).map(({rest}) => ({...rest, isLiving: rest.isLiving && !isWaiting(machine, rest.value)}));
			const working = rests.filter(({isLiving}) => isLiving);
			const last = rests.at(-1) ?? this.#told.get(id);
			const shown = working.length > 0 ? working : last ? [last] : [];
			chart.show(new Set(shown.flatMap(({value}) => [...activeStates(machine, value)])), working.length > 0);
			standing.textContent = working.length > 1 ? `${working.length} at once` : standingOf(shown[0]);
		}
	}

	/**
	 * Notes that a machine has passed a state, and how long it was there.
	 *
	 * @param {string} id
	 * @param {string} name Of the state.
	 * @param {string} note
	 */
	passed(id, name, note) {
		const card = this.#cards.get(id);
		const next = card?.machine.ways.find(({from, to}) => from === `${id}.${name}` && to !== null)?.to?.slice(id.length + 1);
		if (card && next) {
			card.chart.annotate(`${id}.${name}`, note);
			this.#told.set(id, {value: next, isLiving: card.machine.states.get(`${id}.${next}`)?.isFinal === false});
		}
	}

	/**
	 * Lights up what an actor has just done.
	 *
	 * @param {import('./history.js').Session} actor
	 * @param {unknown} before Value.
	 * @param {string} event
	 */
	follow({id, machine, now}, before, event) {
		const card = this.#cards.get(machine);
		const path = card ? takenPath(card.machine, activeStates(card.machine, before), event, activeStates(card.machine, now?.value)) : [];
		// Where an event led nowhere, the path before it stays marked.
		if (path.length > 0) {
			card?.chart.follow(path, brief.has(machine) && this.#followed.get(machine) === id && !isWaiting(card.machine, before));
			this.#followed.set(machine, id);
		}
	}
}

/** @param {Rest | undefined} rest */
const standingOf = rest => rest === undefined ? 'not seen yet' : `${rest.isLiving ? '' : 'ended: '}${told(rest.value)}`;

/** How wide texts are in the drawing's fonts. */
const measures = () => {
	const context = document.createElement('canvas').getContext('2d');
	const family = getComputedStyle(document.body).fontFamily;
	/** @param {string} font */
	const measure = font => (/** @type {string} */ text) => {
		if (!context) {
			return text.length * 8;
		}

		context.font = `${font} ${family}`;
		return context.measureText(text).width;
	};

	return {state: measure('600 14px'), label: measure('12px')};
};
