// @ts-check
/**
 * The last cycles as three curves: dissonance with its chocs, the magnitude of the delta, and the
 * drift with its level. Below them is the same as a table.
 */
import {getById, html, throttle} from './dom.js';
import {formatNumber} from './format.js';
import uPlot from './vendor/uplot.js';

/** @typedef {{state_id: number, trigger: string, dissonance_total: number, is_choc: boolean, delta_magnitude: number, cumulative_drift: number, level: string}} Cycle */

/** How many cycles the curves and the table hold. */
const maxDrawn = 300;
const maxRows = 50;

/**
 * @typedef {object} Curve
 * @property {string} title
 * @property {'dissonance_total' | 'delta_magnitude' | 'cumulative_drift'} field
 * @property {{at: number, colour: string}[]} limits
 * @property {number} minScale The least end of the scale, whatever the values.
 * @property {(cycle: Cycle) => string} colour The custom property with the colour of the cycle's point.
 * @property {(cycle: Cycle) => string} word Shown beside the value.
 */

const levelColours = /** @type {Record<string, string>} */ ({ok: '--curve', warning: '--warning', critical: '--critical'});

/** @type {Curve[]} */
const curves = [
	{
		title: 'Dissonance',
		field: 'dissonance_total',
		limits: [{at: 0.3, colour: '--warning'}],
		minScale: 0.4,
		colour: ({is_choc: isChoc}) => isChoc ? '--warning' : '--curve',
		word: ({is_choc: isChoc}) => isChoc ? 'choc' : '',
	},
	{
		title: 'Delta',
		field: 'delta_magnitude',
		limits: [],
		minScale: 0.0011,
		colour: () => '--curve',
		word: () => '',
	},
	{
		title: 'Cumulative drift',
		field: 'cumulative_drift',
		limits: [{at: 0.01, colour: '--warning'}, {at: 0.02, colour: '--critical'}],
		minScale: 0.0125,
		colour: ({level}) => levelColours[level] ?? '--curve',
		word: ({level}) => level,
	},
];

export class CyclesChart {
	/** @type {Cycle[]} */
	#cycles = [];
	/** @type {{curve: Curve, plot: uPlot, host: HTMLElement, reading: HTMLElement}[]} */
	#plots = [];
	#container = getById('cycles', HTMLDivElement);
	#rows = getById('cycle-rows', HTMLTableSectionElement);
	#refresh = throttle(() => this.#show(), 100);

	constructor() {
		for (const curve of curves) {
			const host = html('div', {class: 'plot', role: 'img'});
			const reading = html('span', {class: 'reading'});
			this.#container.append(html('div', {class: 'curve', 'data-curve': curve.field}, html('p', {}, html('span', {}, curve.title), reading), host));
			this.#plots.push({curve, host, reading, plot: this.#createPlot(curve, host)});
		}

		const resize = throttle(() => {
			for (const {plot, host} of this.#plots) {
				plot.setSize({width: host.clientWidth, height: plot.height});
			}
		}, 100);
		new ResizeObserver(resize).observe(this.#container);
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
		this.#cycles.splice(0, this.#cycles.length - maxDrawn);
		this.#rows.prepend(createRow(cycle));
		this.#rows.rows[maxRows]?.remove();
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
				? `${curve.title} over the last ${this.#cycles.length} cycles; now ${formatNumber(last[curve.field])} ${curve.word(last)}`
				: `${curve.title}: no cycle yet`);
		}

		this.#showReading(this.#cycles.length - 1);
	}

	/** @param {number} index Of the cycle whose values are shown. */
	#showReading(index) {
		const cycle = this.#cycles[index];
		for (const {curve, reading} of this.#plots) {
			reading.textContent = cycle ? `${formatNumber(cycle[curve.field])} ${curve.word(cycle)}`.trim() : 'no cycle yet';
			reading.dataset['word'] = cycle ? curve.word(cycle) : '';
		}
	}

	/**
	 * @param {Curve} curve
	 * @param {HTMLElement} host
	 */
	#createPlot(curve, host) {
		const font = `11px ${getComputedStyle(document.body).fontFamily}`;
		return new uPlot({
			width: Math.max(host.clientWidth, 200),
			height: 84,
			legend: {show: false},
			padding: [6, 8, 7, 0],
			cursor: {sync: {key: 'cycles'}, drag: {x: false, y: false}, points: {show: false}, y: false},
			scales: {
				x: {time: false, range: (_, low, high) => [low, Math.max(high, low + 10)]},
				y: {range: (_, _low, high) => [0, Math.max(curve.minScale, (high ?? 0) * 1.15)]},
			},
			axes: [
				{show: false},
				{size: 46, font, gap: 4, space: 26, stroke: () => readColour('--quiet'), grid: {stroke: () => readColour('--line'), width: 1}, ticks: {show: false}, values: (_, splits) => splits.map(split => String(Number(split.toFixed(4))))},
			],
			series: [
				{},
				{
					stroke: () => readColour('--curve'),
					fill: () => readColour('--curve-fill'),
					width: 1.75,
					points: {show: false},
				},
			],
			hooks: {
				draw: [plot => this.#drawMarks(plot, curve)],
				setCursor: [({cursor}) => this.#showReading(cursor.idx ?? this.#cycles.length - 1)],
			},
		}, [[], []], host);
	}

	/**
	 * Draws the limits as dashed lines, and the points of chocs, of levels and of the last cycle.
	 *
	 * @param {uPlot} plot
	 * @param {Curve} curve
	 */
	#drawMarks(plot, curve) {
		const {ctx: context, bbox} = plot;
		const ratio = devicePixelRatio;
		context.save();
		context.lineWidth = ratio;
		context.setLineDash([4 * ratio, 4 * ratio]);
		for (const limit of curve.limits) {
			const y = plot.valToPos(limit.at, 'y', true);
			if (y >= bbox.top) {
				context.strokeStyle = readColour(limit.colour);
				context.beginPath();
				context.moveTo(bbox.left, y);
				context.lineTo(bbox.left + bbox.width, y);
				context.stroke();
			}
		}

		// Many large points would hide the curve.
		const radius = (this.#cycles.length > 120 ? 1.5 : 3) * ratio;
		for (const [index, cycle] of this.#cycles.entries()) {
			const name = curve.colour(cycle);
			if (name !== '--curve' || index === this.#cycles.length - 1) {
				context.fillStyle = readColour(name);
				context.beginPath();
				context.arc(plot.valToPos(index, 'x', true), plot.valToPos(cycle[curve.field], 'y', true), radius, 0, 2 * Math.PI);
				context.fill();
			}
		}

		context.restore();
	}
}

/** @param {string} name Of a custom property. */
const readColour = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** @param {Cycle} cycle */
const createRow = ({state_id: stateId, trigger, dissonance_total: total, is_choc: isChoc, delta_magnitude: delta, cumulative_drift: drift, level}) =>
	html('tr', {}, html('th', {scope: 'row'}, String(stateId)), ...[trigger, formatNumber(total), isChoc ? 'choc' : '–', formatNumber(delta), formatNumber(drift), level].map(text => html('td', {}, text)));
