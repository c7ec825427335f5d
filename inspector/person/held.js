// @ts-check
/** The queue of held texts: whose wait, how many and since when; each source's can be released or dropped. */
import {requestJson} from '../api.js';
import {getById, html} from '../dom.js';
import {formatAngle, formatCount, formatDate} from '../format.js';
import {askToDecide} from './decide.js';
import {nameSource} from './entries.js';
import {askInstrument} from './instruments.js';
import {askToEndHold, createButton} from './revisions.js';

/** @typedef {{source: string, texts: number, since: string}} HeldSource */
/** @typedef {{sources: string[], conversations: string[], timestamp: string, note: string}} Hold */

const section = getById('without', HTMLElement);

/** Requests what waits, and lists it. */
export const refreshHeld = async () => {
	/** @type {{hold: Hold | null, waiting: number, sources: HeldSource[]} | null} */
	const answer = await askInstrument(section, 'held?limit=0');
	const {hold, waiting, sources} = answer ?? {hold: null, waiting: 0, sources: []};
	getById('held', HTMLElement).hidden = hold === null && waiting === 0;
	getById('hold-note', HTMLParagraphElement).replaceChildren(...hold === null ? ['No hold is in force.'] : [describeHold(hold), createButton('Let further texts pass …', askToEndHold)]);
	getById('held-texts', HTMLUListElement).replaceChildren(...sources.map(createRow));
};

/** @param {Hold} hold */
const describeHold = ({sources, conversations, timestamp, note}) => `Further texts of ${[...sources.map(nameSource), ...conversations].join(', ')} wait since ${formatDate(timestamp)}: “${note}”. `;

/** @param {HeldSource} held */
const createRow = held => html('li', {'data-source': held.source}, `${nameSource(held.source)}: ${formatCount(held.texts, 'text')} since ${formatDate(held.since)} `, createSettling(held, 'release'), ' ', createSettling(held, 'drop'));

const words = {
	release: {verb: 'Release', done: 'released', text: 'Each moves the state now, in the order in which they were held.'},
	drop: {verb: 'Drop', done: 'dropped', text: 'They never move the state. The journal keeps their records.'},
};

/** @param {{turn_mrad: number, words: string[]}} answer */
const describeEffect = ({turn_mrad: angle, words: sentences}) => [`That would turn me by ${formatAngle(angle)}.`, ...sentences].join(' ');

/** @param {HeldSource} held @param {keyof typeof words} kind */
const createSettling = ({source, texts}, kind) => {
	const {verb, done, text} = words[kind];
	const name = nameSource(source);
	return createButton(`${verb} …`, () => askToDecide({
		title: `${verb} ${formatCount(texts, 'text')} of ${name}?`,
		text,
		confirm: verb,
		...(kind === 'release' && {foresee: async () => describeEffect(await requestJson('POST', 'held/release', {sources: [source], dry_run: true}))}),
		async decide({note}) {
			const {ids, state_id: id, turn_mrad: angle, left} = await requestJson('POST', `held/${kind}`, {sources: [source], note});
			return [`State ${id}: ${formatCount(ids.length, 'text')} ${done}; that turned me by ${formatAngle(angle)}.${left > 0 ? ` ${left.toLocaleString('en')} more wait: ask again.` : ''}`];
		},
	}), `${verb} the texts of ${name} …`);
};
