// @ts-check
/** One curve over time, drawn by uPlot in the colours of the page. */
import uPlot from 'uplot';
import {formatTimes} from '../format.js';
import {withPoint} from '../phrase.js';

/** @param {string} name Of a custom property. */
const readColour = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/**
 * @typedef {object} PlotOptions
 * @property {string[]} colours A custom property for each line.
 * @property {boolean} [areDots] Whether the values are dots rather than a line.
 * @property {boolean} [hasTimes] Whether the time axis is labelled, as it is by default.
 * @property {string} group Plots of a group share a cursor.
 * @property {boolean} [hasBand] Whether the band from −1 to 1, which is no different from chance, is shaded.
 * @property {(index: number) => void} onPoint Called for the value under the pointer when it is clicked.
 * @property {(index: number | null) => void} onHover Called for the value under the pointer; null without one.
 * @property {(first: number, last: number) => void} [onStretch] Called with the first and the last value of a drag.
 * @property {() => number | null} selected The value that is marked.
 * @property {() => number[]} [marks] The times of dashed lines, in seconds.
 */

/**
 * @param {HTMLElement} host
 * @param {PlotOptions} options
 */
export const createPlot = (host, {colours, areDots = false, hasTimes = true, group, hasBand = false, onPoint, onHover, onStretch, selected, marks = () => []}) => {
	const {fontSize, fontFamily} = getComputedStyle(document.documentElement);
	const rem = Number.parseFloat(fontSize);
	// A whole number: with a device pixel ratio other than 1, uPlot scales only the digits after a decimal point.
	const font = `${Math.round(0.72 * rem)}px ${fontFamily}`;
	const axis = {font, gap: 4, stroke: () => readColour('--quiet'), grid: {stroke: () => readColour('--line'), width: 1}, ticks: {show: false}};
	const plot = new uPlot({
		width: Math.max(host.clientWidth, 200),
		height: (hasTimes ? 7.6 : 6.2) * rem,
		tzDate: seconds => uPlot.tzDate(new Date(seconds * 1000), 'UTC'),
		legend: {show: false},
		// The room at the right is for half a label of the time axis.
		padding: [6, 2 * rem, hasTimes ? 0 : 7, 0],
		cursor: {
			sync: {key: group},
			drag: {x: true, y: false, setScale: false},
			points: {show: false},
			y: false,
			bind: {
				click: self => () => {
					if (self.select.width < 4 && self.cursor.idx !== null && self.cursor.idx !== undefined) {
						onPoint(self.cursor.idx);
					}

					return null;
				},
			},
		},
		scales: {y: {range: (_, low, high) => rangeOf(low ?? 0, high ?? 0, areDots)}},
		axes: [
			{...axis, show: hasTimes, size: 1.8 * rem, space: 4.5 * rem, values: (_, splits) => formatTimes(splits)},
			{...axis, size: 3.3 * rem, space: 1.6 * rem, values: (_, splits, _axis, _space, increment) => splits.map(split => formatSplit(split, increment))},
		],
		series: [{}, ...colours.map(colour => ({
			stroke: () => readColour(colour),
			width: areDots ? 0 : 1.75,
			points: areDots ? {show: true, size: 4, width: 0, fill: () => readColour(colour)} : {show: false},
			...(areDots && {paths: () => null}),
		}))],
		hooks: {
			drawClear: hasBand ? [shadeBand] : [],
			draw: [self => {
				const index = selected();
				markTimes(self, marks(), {colour: '--quiet', width: 1, dash: [4, 4]});
				markTimes(self, index === null ? [] : [self.data[0]?.[index] ?? Number.NaN], {colour: '--accent', width: 2, dash: []});
			}],
			setCursor: [({cursor}) => onHover(cursor.idx ?? null)],
			setSelect: [self => {
				const {left, width} = self.select;
				if (width >= 4) {
					onStretch?.(self.posToIdx(left), self.posToIdx(left + width));
					self.setSelect({left: 0, top: 0, width: 0, height: 0}, false);
				}
			}],
		},
	}, [[], ...colours.map(() => [])], host);
	new ResizeObserver(() => {
		if (host.clientWidth > 0) {
			plot.setSize({width: host.clientWidth, height: plot.height});
		}
	}).observe(host);
	matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => plot.redraw(false, true));
	return plot;
};

/**
 * With as many digits as neighbouring values need to differ.
 *
 * @param {number} split
 * @param {number} increment
 */
const formatSplit = (split, increment) => withPoint(String(Number(split.toFixed(Math.max(0, Math.ceil(1 - Math.log10(increment)))))).replace('-', '−'));

/** In a smaller range, the dots of equal values would seem to differ. */
const minDotsRange = 0.1;

/**
 * The scale of a line includes zero; that of dots only spans their values.
 *
 * @param {number} low
 * @param {number} high
 * @param {boolean} areDots
 * @returns {[number, number]}
 */
const rangeOf = (low, high, areDots) => {
	if (areDots) {
		const margin = Math.max((high - low) * 0.1, (minDotsRange - high + low) / 2);
		return [low - margin, high + margin];
	}

	const margin = Math.max(high - low, 1e-6) * 0.1;
	return [low < 0 ? low - margin : 0, Math.max(0, high) + margin];
};

/** Shades what is no different from chance: less than 1 on either side. @param {uPlot} plot */
const shadeBand = plot => {
	const {ctx: context, bbox} = plot;
	const {min, max} = plot.scales['y'] ?? {};
	const top = plot.valToPos(Math.min(1, max ?? 1), 'y', true);
	const bottom = plot.valToPos(Math.max(-1, min ?? -1), 'y', true);
	context.save();
	context.fillStyle = readColour('--band');
	context.fillRect(bbox.left, top, bbox.width, Math.max(0, bottom - top));
	context.restore();
};

/**
 * Draws a line at each time within the plot.
 *
 * @param {uPlot} plot
 * @param {number[]} times In seconds.
 * @param {{colour: string, width: number, dash: number[]}} line In pixels.
 */
const markTimes = (plot, times, {colour, width, dash}) => {
	const {ctx: context, bbox} = plot;
	context.save();
	context.strokeStyle = readColour(colour);
	context.lineWidth = width * devicePixelRatio;
	context.setLineDash(dash.map(length => length * devicePixelRatio));
	context.beginPath();
	const isInside = (/** @type {number} */ x) => x >= bbox.left && x <= bbox.left + bbox.width;
	for (const x of times.map(time => plot.valToPos(time, 'x', true)).filter(isInside)) {
		context.moveTo(x, bbox.top);
		context.lineTo(x, bbox.top + bbox.height);
	}

	context.stroke();
	context.restore();
};
