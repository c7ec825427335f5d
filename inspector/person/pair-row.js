// @ts-check
/** One direction between its poles, with two values: that of the present self, and that of another. */
import {html} from '../dom.js';

/**
 * @param {{key: string, pole_positive: string, pole_negative: string}} direction
 * @param {{present: number, other: number, label: string, reading: string}} pair The two values, −1 to 1 on the drawn scale; a label with both; and the reading beside them.
 */
export const createPairRow = ({key, pole_positive: positive, pole_negative: negative}, {present, other, label, reading}) => {
	const track = html('span', {'class': 'track', 'role': 'img', 'aria-label': label});
	track.style.setProperty('--present', String((present + 1) / 2));
	track.style.setProperty('--other', String((other + 1) / 2));
	return html('li', {'data-direction': key, 'title': key},
		html('span', {class: 'negative'}, negative), track, html('span', {class: 'positive'}, positive),
		html('span', {class: 'value'}, reading));
};
