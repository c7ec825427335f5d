// @ts-check
/** The queue of held texts by source: how many wait, and since when. The texts of each source can be released or dropped. */
import {requestJson} from '../api.js';
import {createButton, getById, html, replaceRows} from '../dom.js';
import {formatAngle, formatDate} from '../format.js';
import {formatCount, phrase, withPoint} from '../phrase.js';
import {askToDecide} from './decide.js';
import {nameSource} from './entries.js';
import {askInstrument} from './instruments.js';
import {askToEndHold} from './revisions.js';

/** @typedef {{source: string, texts: number, since: string, reading: number | null}} HeldSource */
/** @typedef {{source: string, conversation: string | null, reason: string}} HeldText */
/** @typedef {{sources: string[], conversations: string[], timestamp: string, note: string}} Hold */

const section = getById('without', HTMLElement);

/** Requests and lists the held texts. */
export const refreshHeld = async () => {
	/** @type {{hold: Hold | null, waiting: number, texts: HeldText[], sources: HeldSource[]} | null} */
	const answer = await askInstrument(section, 'held?limit=200');
	if (!answer) {
		return;
	}

	const {hold, waiting, texts, sources} = answer;
	getById('held', HTMLElement).hidden = hold === null && waiting === 0;
	getById('hold-note', HTMLParagraphElement).replaceChildren(...hold === null ? [phrase`No hold is in force.`] : [describeHold(hold), ' ', createButton(phrase`Let further texts pass …`, askToEndHold)]);
	replaceRows(getById('held-texts', HTMLUListElement), ...sources.map(held => createRow(held, texts.filter(({source}) => source === held.source))));
};

/** @param {Hold} hold */
const describeHold = ({sources, conversations, timestamp, note}) => phrase`Further texts of ${[...sources.map(nameSource), ...conversations].join(', ')} wait since ${formatDate(timestamp)}: “${note.trimEnd().replace(/\.$/, '')}”.`;

/** @param {HeldSource} held @param {HeldText[]} shown The oldest of its texts. */
const createRow = ({source, texts, since, reading}, shown) => {
	const name = nameSource(source);
	const byConversation = Map.groupBy(shown.filter(({conversation}) => conversation !== null), ({conversation}) => /** @type {string} */ (conversation));
	return html(
		'li', {'data-source': source}, reading === null
			? phrase`${name}: ${formatCount(texts, 'text')} since ${formatDate(since)}`
			: phrase`${name}: ${formatCount(texts, 'text')} since ${formatDate(since)}, ${withPoint(reading.toPrecision(2))} times as far from ordinary talk as is usual`,
		' ',
		...createButtons({name, texts, choice: {sources: [source]}}),
		...shown.slice(0, 1).map(({reason}) => html('p', {}, reason)),
		...byConversation.size === 0 ? [] : [html('ul', {}, ...[...byConversation].map(([conversation, {length}]) => html(
			'li', {}, phrase`Conversation ${conversation}: ${formatCount(length, 'text')}`, ' ',
			...createButtons({name: phrase`the conversation ${conversation}`, texts: length, choice: {conversations: [conversation]}}),
		)))],
	);
};

/** A part of the queue that a button acts on. @typedef {{name: string, texts: number, choice: {sources?: string[], conversations?: string[]}}} HeldPart */

/** @param {HeldPart} part */
const createButtons = part => [createSettling(part, 'release'), ' ', createSettling(part, 'drop')];

const words = {
	release: {
		verb: phrase`Release`,
		text: phrase`Each moves the state now, in the order in which they were held.`,
		/** @param {string} texts @param {string} name */
		ask: (texts, name) => phrase`Release ${texts} of ${name}?`,
		/** @param {string} name */
		label: name => phrase`Release the texts of ${name} …`,
		/** @param {number} id @param {string} texts @param {string} angle */
		describe: (id, texts, angle) => phrase`State ${id}: ${texts} released; that turned me by ${angle}.`,
	},
	drop: {
		verb: phrase`Drop`,
		text: phrase`Dropped texts never move the state. The journal keeps their records.`,
		/** @param {string} texts @param {string} name */
		ask: (texts, name) => phrase`Drop ${texts} of ${name}?`,
		/** @param {string} name */
		label: name => phrase`Drop the texts of ${name} …`,
		/** @param {number} id @param {string} texts @param {string} angle */
		describe: (id, texts, angle) => phrase`State ${id}: ${texts} dropped; that turned me by ${angle}.`,
	},
};

/** @param {{turn_mrad: number, words: string[]}} answer */
const describeEffect = ({turn_mrad: angle, words: sentences}) => [phrase`That would turn me by ${formatAngle(angle)}.`, ...sentences].join(' ');

/** @param {HeldPart} part @param {keyof typeof words} kind */
const createSettling = ({name, texts, choice}, kind) => {
	const {verb, text, ask, label, describe} = words[kind];
	return createButton(`${verb} …`, () => askToDecide({
		title: ask(formatCount(texts, 'text'), name),
		text,
		confirm: verb,
		...(kind === 'release' && {foresee: async () => describeEffect(await requestJson('POST', 'held/release', {...choice, dry_run: true}))}),
		async decide({note}) {
			const {ids, state_id: id, turn_mrad: angle, left} = await requestJson('POST', `held/${kind}`, {...choice, note});
			return [[describe(id, formatCount(ids.length, 'text'), formatAngle(angle)), left > 0 && phrase`${left} more are waiting: ask again.`].filter(Boolean).join(' ')];
		},
	}), label(name));
};
