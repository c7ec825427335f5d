// @ts-check
/** Shows what a text would do before it is said. Asking changes nothing. */
import {describeError, requestJson} from '../api.js';
import {getById, html} from '../dom.js';
import {formatAngle, formatDate, formatNumber, formatPercentile, formatShare, formatSigned} from '../format.js';
import {phrase, translated} from '../phrase.js';
import {createShareBar} from './conversation-chart.js';

/** @typedef {{key: string, pole_positive: string, pole_negative: string, before: number, after: number, change: number}} Move */
/** @typedef {{dissonance_total: number, dissonance_percentile: number | null, turn_mrad: number, moves: Move[], by_method: Record<string, number>, nearest: {id: string, timestamp: string, cosine: number, content: string | null}[], held?: string, truncated?: boolean, unknown_share?: number}} DryRun */
/** @typedef {{content: string, conversation: string, source?: string}} Text The written text, as it would be sent. */

/** The service is asked after a pause in typing of this length. */
const pauseMs = 400;

const maxMoves = 6;

const place = getById('preview', HTMLElement);

/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;
/** The number of the last question; an answer to an earlier one is not shown. */
let asked = 0;

/** Asks after a pause in typing what the text would do, and shows it. @param {Text} text */
export const previewSoon = text => {
	clearTimeout(timer);
	const question = ++asked;
	if (text.content.trim() === '') {
		place.hidden = true;
	} else {
		timer = setTimeout(async () => {
			const nodes = await ask(text);
			if (question === asked) {
				place.replaceChildren(...nodes);
				place.hidden = false;
			}
		}, pauseMs);
	}
};

/** @param {Text} text */
const ask = async text => {
	try {
		return describe(await requestJson('POST', 'dry-run', text));
	} catch (error) {
		return [html('output', {class: 'failed'}, describeError(error))];
	}
};

/** @param {DryRun} run */
const describe = ({dissonance_total: total, dissonance_percentile: percentile, turn_mrad: turn, moves, by_method: methods, nearest, held, truncated = false, unknown_share: unknown = 0}) => {
	const largest = Math.max(...moves.map(({change}) => Math.abs(change)), Number.MIN_VALUE);
	return [
		html('p', {}, percentile === null
			? phrase`It would turn me by ${formatAngle(turn)}. Its dissonance is ${formatNumber(total)}.`
			: phrase`It would turn me by ${formatAngle(turn)}. Its dissonance is ${formatNumber(total)}, above ${formatPercentile(percentile)} of the last texts.`),
		...[
			held && phrase`It would be held back, and move nothing until it is released. ${held}`,
			truncated && phrase`The text is too long for the model, which does not read its end.`,
			unknown > 0.5 && phrase`${formatShare(unknown)} of the text is not in the model’s vocabulary.`,
		].filter(Boolean).map(warning => html('p', {}, String(warning))),
		html('h4', {}, phrase`It would move me towards`),
		html('ul', {class: 'moves'}, ...moves.slice(0, maxMoves).map(move => createMove(move, largest))),
		html('p', {class: 'quiet'}, phrase`By method: ${Object.entries(methods).map(([method, weight]) => `${translated(method)} ${formatNumber(weight)}`).join(', ')}.`),
		...(nearest.length > 0 ? [html('h4', {}, phrase`The nearest texts that I heard`), html('ul', {class: 'behind'}, ...nearest.map(({timestamp, cosine, content}) =>
			html('li', {}, html('q', {}, content ?? phrase`kept as a hash`), html('small', {},  ` ${formatDate(timestamp)} · ${phrase`cosine ${formatNumber(cosine)}`}`))))] : []),
	];
};

/**
 * @param {Move} move
 * @param {number} largest The largest change of all.
 */
const createMove = ({key, pole_positive: positive, pole_negative: negative, before, after, change}, largest) => {
	return html('li', {'data-direction': key, 'title': `${key}: ${formatSigned(before, 4)} → ${formatSigned(after, 4)}`},
		html('span', {}, change < 0 ? negative : positive), createShareBar(Math.abs(change) / largest), html('span', {class: 'value'}, formatSigned(change, 5)));
};
