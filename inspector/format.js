// @ts-check
/** Numbers and times as text: few digits, and powers of ten for very small numbers. */
import {currentLanguage, formatFixed, formatP, phrase, withPoint} from './phrase.js';

const superscripts = '⁰¹²³⁴⁵⁶⁷⁸⁹';

/** @param {number} exponent */
const toSuperscript = exponent => (exponent < 0 ? '⁻' : '') + [...String(Math.abs(exponent))].map(digit => superscripts[Number(digit)]).join('');

/**
 * @param {number} value
 * @returns {string} for example `0.996`, `8.3 × 10⁻⁷`, `0`
 */
export const formatNumber = value => {
	const size = Math.abs(value);
	if (size === 0) {
		return '0';
	}

	if (size < 0.0005) {
		const [digits = '', exponent] = value.toExponential(1).split('e');
		return `${withPoint(digits.replace('-', '−'))} × 10${toSuperscript(Number(exponent))}`;
	}

	return formatFixed(value, size < 0.1 ? 4 : 3).replace('-', '−');
};

/** @param {number} milliseconds */
export const formatDuration = milliseconds => milliseconds < 10 ? `${formatFixed(milliseconds, 1)} ms` : `${Math.round(milliseconds)} ms`;

/**
 * @param {number} time Milliseconds since the epoch.
 * @returns {string} the time of day in UTC, to the millisecond, for example `08:12:04.068Z`
 */
export const formatTime = time => new Date(time).toISOString().slice(11);

/**
 * @param {number} value
 * @param {number} [digits] After the point.
 * @returns {string} with its sign, for example `+1.4`, `−0.0312`
 */
export const formatSigned = (value, digits = 1) => {
	const text = Math.abs(value).toFixed(digits);
	return withPoint(Number(text) === 0 ? text : `${value < 0 ? '−' : '+'}${text}`);
};

/**
 * @param {number} share 0 to 1; a part that works against the others is below 0.
 * @returns {string} for example `12 %`, `0.3 %`, `−2.0 %`
 */
export const formatShare = share => {
	const percent = share * 100;
	if (percent > 0 && percent < 0.1) {
		return phrase`under 0.1 %`;
	}

	const text = percent.toFixed(Math.abs(percent) < 10 ? 1 : 0);
	return phrase`${withPoint(Number(text) === 0 ? '0' : text.replace('-', '−'))} %`;
};

const rightToLeft = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/**
 * Isolates a right-to-left name within a sentence: otherwise it would reorder the numbers that follow it.
 *
 * @param {string} name
 */
export const isolate = name => rightToLeft.test(name) ? `\u2068${name}\u2069` : name;

/**
 * @param {number} percentile The share of others below a value, 0 to 1.
 * @returns {string} for example `98 %`, `over 99 %`
 */
export const formatPercentile = percentile => {
	if (percentile > 0.99) {
		return phrase`over 99 %`;
	}

	return percentile < 0.01 ? phrase`under 1 %` : phrase`${Math.round(percentile * 100)} %`;
};

/**
 * A p of a fleet, which may be very small.
 *
 * @param {number} p How likely chance is to do as much, 0 to 1.
 * @returns {string} for example `0.005`, `0.040`, `0.40`, `2.0 × 10⁻⁷`
 */
export const formatSmallP = p => p < 0.0005 ? formatNumber(p) : formatP(p);

/**
 * @param {number} p How likely chance is to do as much, 0 to 1.
 * @returns {string} for example `p 0.010`, `p 0.55`, `p under 0.001`
 */
export const formatChance = p => p < 0.001 ? phrase`p under 0.001` : phrase`p ${formatP(p)}`;

/**
 * @param {number} mrad Thousandths of a radian.
 * @returns {string} for example `1.00 mrad`, `143 mrad`
 */
export const formatAngle = mrad => phrase`${formatFixed(mrad, mrad < 10 ? 2 : mrad < 100 ? 1 : 0)} mrad`;

/**
 * In UTC, as in the sentences of the service and its commands, so that a moment reads the same everywhere.
 *
 * @param {string | number} timestamp In ISO 8601, or in milliseconds.
 * @returns {string} the date and the time, for example `2026-09-14 08:12 UTC`
 */
export const formatDate = timestamp => `${new Date(timestamp).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/**
 * Positions on a time axis, in seconds. They never decrease, since a curve could not be drawn. The beginning is no later than
 * the first text, which may be an imported one. A later point that goes back in time takes the position of the one before.
 *
 * @param {readonly {timestamp: string}[]} points In the order of the history.
 */
export const toTimes = points => {
	const times = points.map(({timestamp}) => Date.parse(timestamp) / 1000);
	let latest = Math.min(...times.slice(0, 2));
	return times.map((time, index) => latest = index === 0 ? latest : Math.max(latest, time));
};

const locale = currentLanguage() === 'en' ? 'en-GB' : currentLanguage();

/** Formats of a time axis's labels, in UTC, each with the smallest distance between labels that it is for, in seconds. */
const labels = /** @type {const} */ ([
	[27 * 86_400, {month: 'short', year: 'numeric'}],
	[86_400, {day: 'numeric', month: 'short'}],
	[60, {hour: '2-digit', minute: '2-digit'}],
	[0, {hour: '2-digit', minute: '2-digit', second: '2-digit'}],
]).map(([least, options]) => ({least, format: new Intl.DateTimeFormat(locale, {...options, timeZone: 'UTC'})}));

/**
 * Labels of the time axis, as precise as their distance requires. Labels that are months apart include the year: without it, all
 * labels of a history of years would read 1 January.
 *
 * @param {number[]} times In seconds.
 */
export const formatTimes = times => {
	const distance = (times[1] ?? 0) - (times[0] ?? 0);
	const label = labels.find(({least}) => distance >= least);
	return times.map(time => label?.format.format(time * 1000) ?? '');
};
