// @ts-check
/**
 * The last cycles as three curves over one another: dissonance with its chocs, the length of
 * the delta, and the drift with its level. Under them the same as a table.
 */
import {byId, html, soon} from './dom.js';
import {figure} from './format.js';
import uPlot from './vendor/uplot.js';

/** @typedef {{state_id: number, trigger: string, dissonance_total: number, is_choc: boolean, delta_magnitude: number, cumulative_drift: number, level: string}} Cycle */

/** How many cycles are drawn, and how many stand in the table. */
const drawn = 300;
const listed = 50;

/**
 * @typedef {object} Curve
 * @property {string} title
 * @property {'dissonance_total' | 'delta_magnitude' | 'cumulative_drift'} field
 * @property {{at: number, colour: string}[]} limits
 * @property {number} atLeast What the scale reaches to, whatever the values.
 * @property {(cycle: Cycle) => string} colour Name of a custom property; of the cycle's point.
 * @property {(cycle: Cycle) => string} word What is said beside the value.
 */

const levelColours = /** @type {Record<string, string>} */ ({ok: '--curve', warning: '--warning', critical: '--critical'});

/** @type {Curve[]} */
const curves = [
	{
		title: 'Dissonance',
		field: 'dissonance_total',
		limits: [{at: 0.3, colour: '--warning'}],
		atLeast: 0.4,
		colour: ({is_choc: isChoc}) => isChoc ? '--warning' : '--curve',
		word: ({is_choc: isChoc}) => isChoc ? 'choc' : '',
	},
	{
		title: 'Delta',
		field: 'delta_magnitude',
		limits: [],
		atLeast: 0.0011,
		colour: () => '--curve',
		word: () => '',
	},
	{
		title: 'Cumulative drift',
		field: 'cumulative_drift',
		limits: [{at: 0.01, colour: '--warning'}, {at: 0.02, colour: '--critical'}],
		atLeast: 0.0125,
		colour: ({level}) => levelColours[level] ?? '--curve',
		word: ({level}) => level,
	},
];

export class CyclesChart {
	/** @type {Cycle[]} */
	#cycles = [];
	/** @type {{curve: Curve, plot: uPlot, host: HTMLElement, reading: HTMLElement}[]} */
	#plots = [];
	#place = byId('cycles', HTMLDivElement);
	#rows = byId('cycle-rows', HTMLTableSectionElement);
	#refresh = soon(() => this.#show(), 100);

	constructor() {
		for (const curve of curves) {
			const host = html('div', {class: 'plot', role: 'img'});
			const reading = html('span', {class: 'reading'});
			this.#place.append(html('div', {class: 'curve', 'data-curve': curve.field}, html('p', {}, html('span', {}, curve.title), reading), host));
			this.#plots.push({curve, host, reading, plot: this.#plot(curve, host)});
		}

		const resize = soon(() => {
			for (const {plot, host} of this.#plots) {
				plot.setSize({width: host.clientWidth, height: plot.height});
			}
		}, 100);
		new ResizeObserver(resize).observe(this.#place);
		matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
			for (const {plot} of this.#plots) {
				plot.redraw(false, true);
			}
		});
		this.#show();
	}

	/** @param {Cycle} cycle */
	add(cycle) {
		this.#cycles.push(cycle);
		this.#cycles.splice(0, this.#cycles.length - drawn);
		this.#rows.prepend(rowOf(cycle));
		this.#rows.rows[listed]?.remove();
		this.#refresh();
	}

	clear() {
		this.#cycles = [];
		this.#rows.replaceChildren();
		this.#refresh();
	}

	#show() {
		const last = this.#cycles.at(-1);
		for (const {curve, plot, host} of this.#plots) {
			plot.setData([this.#cycles.map((_, index) => index), this.#cycles.map(cycle => cycle[curve.field])]);
			host.setAttribute('aria-label', last
				? `${curve.title} over the last ${this.#cycles.length} cycles; now ${figure(last[curve.field])} ${curve.word(last)}`
				: `${curve.title}: no cycle yet`);
		}

		this.#read(this.#cycles.length - 1);
	}

	/** @param {number} index Of the cycle that is told in figures. */
	#read(index) {
		const cycle = this.#cycles[index];
		for (const {curve, reading} of this.#plots) {
			reading.textContent = cycle ? `${figure(cycle[curve.field])} ${curve.word(cycle)}`.trim() : 'no cycle yet';
			reading.dataset['word'] = cycle ? curve.word(cycle) : '';
		}
	}

	/**
	 * @param {Curve} curve
	 * @param {HTMLElement} host
	 */
	#plot(curve, host) {
		const font = `11px ${getComputedStyle(document.body).fontFamily}`;
		return new uPlot({
			width: Math.max(host.clientWidth, 200),
			height: 84,
			legend: {show: false},
			padding: [6, 8, 7, 0],
			cursor: {sync: {key: 'cycles'}, drag: {x: false, y: false}, points: {show: false}, y: false},
			scales: {
				x: {time: false, range: (_, low, high) => [low, Math.max(high, low + 10)]},
				y: {range: (_, _low, high) => [0, Math.max(curve.atLeast, (high ?? 0) * 1.15)]},
			},
			axes: [
				{show: false},
				{size: 46, font, gap: 4, space: 26, stroke: () => colour('--quiet'), grid: {stroke: () => colour('--line'), width: 1}, ticks: {show: false}, values: (_, splits) => splits.map(split => String(Number(split.toFixed(4))))},
			],
			series: [
				{},
				{
					stroke: () => colour('--curve'),
					fill: () => colour('--curve-fill'),
					width: 1.75,
					points: {show: false},
				},
			],
			hooks: {
				draw: [plot => this.#mark(plot, curve)],
				setCursor: [({cursor}) => this.#read(cursor.idx ?? this.#cycles.length - 1)],
			},
		}, [[], []], host);
	}

	/**
	 * Limits as dashed lines, and the points that mean something.
	 *
	 * @param {uPlot} plot
	 * @param {Curve} curve
	 */
	#mark(plot, curve) {
		const {ctx: context, bbox} = plot;
		const ratio = devicePixelRatio;
		context.save();
		context.lineWidth = ratio;
		context.setLineDash([4 * ratio, 4 * ratio]);
		for (const limit of curve.limits) {
			const y = plot.valToPos(limit.at, 'y', true);
			if (y >= bbox.top) {
				context.strokeStyle = colour(limit.colour);
				context.beginPath();
				context.moveTo(bbox.left, y);
				context.lineTo(bbox.left + bbox.width, y);
				context.stroke();
			}
		}

		// Many points beside one another would hide the curve.
		const radius = (this.#cycles.length > 120 ? 1.5 : 3) * ratio;
		for (const [index, cycle] of this.#cycles.entries()) {
			const name = curve.colour(cycle);
			if (name !== '--curve' || index === this.#cycles.length - 1) {
				context.fillStyle = colour(name);
				context.beginPath();
				context.arc(plot.valToPos(index, 'x', true), plot.valToPos(cycle[curve.field], 'y', true), radius, 0, 2 * Math.PI);
				context.fill();
			}
		}

		context.restore();
	}
}

/** @param {string} name Of a custom property. */
const colour = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** @param {Cycle} cycle */
const rowOf = ({state_id: stateId, trigger, dissonance_total: total, is_choc: isChoc, delta_magnitude: delta, cumulative_drift: drift, level}) =>
	html('tr', {}, html('th', {scope: 'row'}, String(stateId)), ...[trigger, figure(total), isChoc ? 'choc' : '–', figure(delta), figure(drift), level].map(text => html('td', {}, text)));
