// @ts-check
/** Since when a direction differs from chance: its value at each state of the life. */
import {getById} from '../dom.js';
import {formatDate, formatSigned, isolate, toTimes} from '../format.js';
import {phrase} from '../phrase.js';
import {askInstrument, toQuery} from './instruments.js';
import {createPlot} from './plot.js';

/** @typedef {import('./timeline.js').Point & {value: number, z: number | null}} Place */

const section = getById('since', HTMLElement);
const host = getById('since-curve', HTMLDivElement);
const moment = getById('since-moment', HTMLParagraphElement);

/** More could not be distinguished. */
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

/** Follows a direction over the whole life. @param {string} direction Its key. */
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
 * Whether it differs from chance. Of a random beginning texts have to move it by one z too.
 *
 * @param {Place} place
 */
const stands = ({z}) => Math.abs(z ?? 0) >= 1 && (getById('random', HTMLParagraphElement).hidden || Math.abs((z ?? 0) - (places[0]?.z ?? 0)) >= 1);

/** Since when the value differs from chance without a break. @param {Place[]} life */
const describeStart = life => {
	const last = life.at(-1);
	if (!last || !stands(last)) {
		const once = life.findLast(stands);
		if (!once && Math.abs(last?.z ?? 0) >= 1) {
			return phrase`Chance drew it so at the beginning. Texts have not moved it by one z.`;
		}

		return once ? phrase`It is no different from chance now. It last stood out on ${formatDate(once.timestamp)}.` : phrase`It never differed from chance.`;
	}

	const start = life.findLastIndex(place => !stands(place) || Math.sign(place.z ?? 0) !== Math.sign(last.z ?? 0)) + 1;
	const first = /** @type {Place} */ (life[start]);
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
