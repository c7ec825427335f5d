// @ts-check
/**
 * One direction between its poles. The scale is that of the catalogue's example sentences: z says
 * how many of their standard deviations the value lies from their mean. Within the grey band it is
 * no different from chance.
 */
import {createButton, html} from '../dom.js';
import {formatPercentile, formatSigned} from '../format.js';
import {phrase, translated} from '../phrase.js';

/** @typedef {{key: string, category: string, name: string, dimension: string, moves: boolean, pole_positive: string, pole_negative: string, value: number, z: number | null, percentile: number | null, word: 'none' | 'leaning' | 'strong' | null, pole: string | null}} Direction */

/** The end of the scale on either side; values beyond it are drawn at the end. */
const maxZ = 4;

/** @param {number} z @returns {number} 0 to 1 */
const positionOf = z => (Math.max(-maxZ, Math.min(maxZ, z)) / maxZ + 1) / 2;

/** @param {number} percentile 0 to 1. */
const describePercentile = percentile => phrase`above ${formatPercentile(percentile)} of the example sentences`;

/**
 * @param {Direction} direction
 * @param {(key: string) => void} onWhy Called when the user asks which texts account for the value.
 */
export const createDirectionRow = ({key, name, moves, pole_positive: positive, pole_negative: negative, value, z, percentile, word, pole}, onWhy) => {
	const track = html('span', {class: 'z-track', role: 'img'});
	const reading = z === null ? formatSigned(value, 4) : `z ${formatSigned(z)}`;
	track.setAttribute('aria-label', [reading, translated(word ?? ''), pole ?? '', percentile === null ? '' : describePercentile(percentile)].filter(Boolean).join(', '));
	track.style.setProperty('--z', String(positionOf(z ?? 0)));
	return html('li', {'class': `direction ${word ?? 'unscaled'}${moves ? '' : ' fixed'}`, 'data-direction': key, 'title': phrase`${key}: value ${formatSigned(value, 4)}`},
		html('span', {class: `negative${pole === negative ? ' leaned-to' : ''}`}, negative),
		track,
		html('span', {class: `positive${pole === positive ? ' leaned-to' : ''}`}, positive),
		html('span', {class: 'value'}, reading, html('small', {}, percentile === null ? '' : formatPercentile(percentile))),
		moves ? createButton(phrase`Why?`, () => onWhy(key), phrase`Why ${pole ?? name}?`) : html('small', {class: 'quiet'}, phrase`fixed`));
};
