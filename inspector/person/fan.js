// @ts-check
/**
 * My way since the validation, beside the fan of the twins: how far they are after as many cycles.
 * The distance from the twins' mean leaves the fan as p falls; the angle alone may stay within it.
 */
import {getById, html} from '../dom.js';
import {formatAngle, formatDate} from '../format.js';
import {word} from '../words.js';
import {createPlot} from './plot.js';

/** @typedef {{state_id: number, timestamp: string, net_mrad: number, net_low_mrad: number | null, net_median_mrad: number | null, net_high_mrad: number | null, excess_mrad: number | null, excess_low_mrad: number | null, excess_median_mrad: number | null, excess_high_mrad: number | null}} PathPoint */

const section = getById('fan', HTMLElement);
const moment = getById('fan-moment', HTMLParagraphElement);

/** @type {PathPoint[]} */
let path = [];
/** @type {number | null} */
let selected = null;

/** @type {{title: (Node | string)[], fields: (keyof PathPoint)[], label: string}[]} */
const fans = [
	{title: ['Distance from the mean of the twins, in ', word('mrad')], fields: ['excess_low_mrad', 'excess_high_mrad', 'excess_median_mrad', 'excess_mrad'], label: 'The distance from the mean of the twins'},
	{title: ['Angle from the state that was validated'], fields: ['net_low_mrad', 'net_high_mrad', 'net_median_mrad', 'net_mrad'], label: 'The angle from the validated state'},
];

const plots = fans.map(({title, fields, label}, index) => {
	const host = html('div', {class: 'plot', role: 'img'});
	getById('fan-curves', HTMLDivElement).append(html('p', {class: 'curve-title'}, ...title), host);
	return {fields, label, host, plot: createPlot(host, {
		colours: ['', '', '--edge', '--curve'],
		bands: [{upper: 1, lower: 0, colour: '--band'}],
		areDots: false,
		hasTimes: index === fans.length - 1,
		group: 'fan',
		selected: () => selected,
		onPoint: select,
		onHover: hovered => show(hovered ?? selected),
		onStretch() {},
	})};
});

/** Draws the fan, where there are twins. @param {PathPoint[]} points */
export const showFan = points => {
	section.hidden = points.length < 2 || points.some(({net_median_mrad: median}) => median === null);
	if (section.hidden) {
		return;
	}

	path = points;
	for (const {plot, fields, host, label} of plots) {
		plot.setData(/** @type {any} */ ([path.map(({timestamp}) => Date.parse(timestamp) / 1000), ...fields.map(field => path.map(point => point[field]))]));
		host.setAttribute('aria-label', `${label}, beside that of the twins`);
	}

	select(path.length - 1);
};

/** @param {number} index */
function select(index) {
	selected = index;
	for (const {plot} of plots) {
		plot.redraw(false, false);
	}

	show(index);
}

/** @param {number | null} index */
function show(index) {
	const point = index === null ? undefined : path[index];
	if (point) {
		const {state_id: stateId, timestamp, net_mrad: net, net_low_mrad: low, net_high_mrad: high, excess_mrad: excess, excess_low_mrad: excessLow, excess_high_mrad: excessHigh} = point;
		moment.textContent = `${formatDate(timestamp)} · state ${stateId} · ${formatAngle(excess ?? 0)} from the twins’ mean, where nine twins of ten are at ${formatRange(excessLow, excessHigh)} · ${formatAngle(net)} from the validated state, where they are at ${formatRange(low, high)}`;
	}
}

/** @param {number | null} low @param {number | null} high */
const formatRange = (low, high) => `${(low ?? 0).toFixed(0)} to ${(high ?? 0).toFixed(0)}`;
