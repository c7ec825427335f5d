// @ts-check
/** Since when a direction differs from chance: its values over the history. */
import {getById} from '../dom.js';
import {formatDate, formatSigned, isolate, toTimes} from '../format.js';
import {phrase} from '../phrase.js';
import {askInstrument, toQuery} from './instruments.js';
import {createPlot} from './plot.js';

/** @typedef {import('./timeline.js').Point & {value: number, z: number | null}} Place */

const section = getById('since', HTMLElement);
const host = getById('since-curve', HTMLDivElement);
const moment = getById('since-moment', HTMLParagraphElement);

/** More points could not be told apart. */
const maxPoints = 200;

/** @type {Place[]} */
let places = [];
/** @type {number | null} */
let selected = null;

const plot = createPlot(host, {
	colours: ['--curve'],
	group: 'since',
	hasBand: true,
	selected: () => selected,
	onPoint(index) {
		selected = index;
		plot.redraw(false, false);
		show(index);
	},
	onHover: hovered => show(hovered ?? selected),
});

/** Requests and draws the values of a direction over the whole history. @param {string} direction Its key. */
export const refreshSince = async direction => {
	const history = await askInstrument(section, `history?${toQuery({points: maxPoints, direction})}`);
	if (!history) {
		return;
	}

	places = history.points;
	selected = null;
	const hasScale = places.every(({z}) => z !== null);
	host.hidden = !hasScale;
	plot.setData(/** @type {any} */ ([toTimes(places), places.map(({z}) => z)]));
	host.setAttribute('aria-label', phrase`The z of ${direction} over its history`);
	getById('since-note', HTMLParagraphElement).textContent = hasScale ? describeStart(places) : phrase`This direction has no scale, so its value has no unit.`;
	show(places.length - 1);
};

/**
 * Whether the value differs from chance. After a random beginning, texts must also have moved it by one z.
 *
 * @param {Place} place
 */
const standsOut = ({z}) => Math.abs(z ?? 0) >= 1 && (getById('random', HTMLParagraphElement).hidden || Math.abs((z ?? 0) - (places[0]?.z ?? 0)) >= 1);

/** Since when the value differs from chance without a break. @param {Place[]} history */
const describeStart = history => {
	const last = history.at(-1);
	if (!last || !standsOut(last)) {
		const once = history.findLast(standsOut);
		if (!once && Math.abs(last?.z ?? 0) >= 1) {
			return phrase`It was drawn at random at the beginning, and texts have not moved it by one z.`;
		}

		return once ? phrase`It is no different from chance now. It last stood out on ${formatDate(once.timestamp)}.` : phrase`It never differed from chance.`;
	}

	const start = history.findLastIndex(place => !standsOut(place) || Math.sign(place.z ?? 0) !== Math.sign(last.z ?? 0)) + 1;
	const first = /** @type {Place} */ (history[start]);
	return start === 0 ? phrase`It has differed from chance since the beginning.` : phrase`It has differed from chance since ${formatDate(first.timestamp)}, about state ${first.state_id}.`;
};

/** @param {number | null} index */
function show(index) {
	const place = index === null ? undefined : places[index];
	if (place) {
		const {timestamp, state_id: id, value, z, source, content} = place;
		moment.textContent = [
			formatDate(timestamp), phrase`state ${id}`, phrase`value ${formatSigned(value, 4)}`, z !== null && `z ${formatSigned(z, 1)}`,
			source !== null && (content === null ? isolate(source) : phrase`${isolate(source)}: “${isolate(content)}”`),
		].filter(Boolean).join(' · ');
	}
}
