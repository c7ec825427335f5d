// @ts-check
/** Entries of a ledger in words: what each is, and the texts behind it. */
import {describeError} from '../api.js';
import {html} from '../dom.js';
import {formatDate, formatShare, formatSigned, isolate} from '../format.js';
import {formatCount, phrase, translated} from '../phrase.js';
import {askInTurn, toQuery} from './instruments.js';

/** @typedef {{key: string, kind: 'beginning' | 'push' | 'before' | 'texts' | 'text' | 'method' | 'others', texts: number, share: number, part: number | null, timestamp?: string, source?: string, trigger?: string, content?: string | null}} Entry */
/** @typedef {'text' | 'source' | 'trigger' | 'method'} Grouping */
/** @typedef {{direction?: string, lens?: string, since?: number}} View Of a ledger. */

/** How many texts are listed for a source. */
const maxTexts = 5;

/** How many texts are searched for them, the heaviest first: the service gives no more. */
const maxEntries = 1000;

/** Triggers whose texts the daemon chose. */
const daemonTriggers = new Set(['corpus', 'rumination_free']);

/** A map, since a source may be called “constructor” or “__proto__”. */
const triggerNames = new Map([['user', phrase`users`], ['corpus', phrase`daemon: corpus`], ['rumination_free', phrase`daemon: rumination`], ['veille', phrase`watch (veille)`]]);

/**
 * The first parts of a list; if more than one is left, these are joined into one.
 *
 * @template Part
 * @param {Part[]} list
 * @param {number} length
 * @param {(others: Part[]) => Part} join
 */
export const joinOthers = (list, length, join) => list.length < length + 2 ? list : [...list.slice(0, length), join(list.slice(length))];

/** @template Part @param {Part[]} list @param {(part: Part) => number} valueOf */
export const sumOf = (list, valueOf) => list.reduce((sum, part) => sum + valueOf(part), 0);

/** The page's name for a source; a text without a source has its trigger in place of one. @param {string} source */
export const nameSource = source => triggerNames.get(source) ?? isolate(source);

/** The CSS class for the colour of an entry. @param {Entry} entry */
export const classOf = ({kind, key}) => kind === 'texts' && daemonTriggers.has(key) ? 'daemon' : kind;

/** @param {Entry} entry @returns {string} */
export const nameOf = ({kind, key, texts, content}) => {
	switch (kind) {
		case 'beginning':
			return phrase`The beginning`;
		case 'push':
			return phrase`The rule’s push`;
		case 'before':
			return phrase`Before the records that are kept`;
		case 'others':
			return texts > 0 ? formatCount(texts, 'other text') : phrase`The others`;
		case 'text':
			return content ? phrase`“${content}”` : phrase`Text ${key}, kept as a hash`;
		default:
			return kind === 'method' ? translated(key) : nameSource(key);
	}
};

/** What an entry without texts means. */
const explanations = /** @type {Record<string, string>} */ ({
	beginning: phrase`What is left of the state that the identity began with.`,
	push: phrase`What the rule itself does: every text drives thirdness away from secondness, whatever it says.`,
	before: phrase`Texts whose records the journal has compacted.`,
	others: phrase`Texts that weigh less than those above.`,
	method: phrase`One of the four methods of fixing belief.`,
});

/** @param {Entry} text */
const describeText = ({timestamp, source, trigger, content, share, part}) => html('li', {},
	html('q', {}, content ?? phrase`kept as a hash`),
	html('small', {}, ` ${[source ? isolate(source) : trigger, timestamp && formatDate(timestamp), phrase`weighs ${formatShare(share)}`, part === null ? '' : phrase`adds ${formatSigned(part, 4)}`].filter(Boolean).join(' · ')}`));

/**
 * Lists the heaviest of the wanted texts.
 *
 * @param {(text: Entry) => boolean} isWanted
 * @param {View} view
 */
export const listTexts = async (isWanted, view) => {
	const {entries} = await askInTurn(`ledger?${toQuery({by: 'text', limit: maxEntries, ...view})}`);
	const texts = /** @type {Entry[]} */ (entries).filter(one => one.kind === 'text' && isWanted(one));
	return texts.length > 0 ? html('ul', {class: 'behind'}, ...texts.slice(0, maxTexts).map(describeText)) : html('p', {class: 'behind quiet'}, phrase`None of its texts is among the largest parts.`);
};

/**
 * What is behind an entry: its text, its heaviest texts, or what it means.
 *
 * @param {Entry} entry
 * @param {Grouping} by How the entries are grouped.
 * @param {View} view
 * @returns {HTMLElement | Promise<HTMLElement>}
 */
const explainEntry = (entry, by, view) => {
	if (entry.kind === 'text') {
		return html('ul', {class: 'behind'}, describeText(entry));
	}

	return entry.kind === 'texts' ? listTexts(text => text[by === 'trigger' ? 'trigger' : 'source'] === entry.key, view) : html('p', {class: 'behind quiet'}, explanations[entry.kind] ?? '');
};

/**
 * Creates a button that shows and hides details within its row.
 *
 * @param {string} label
 * @param {() => HTMLElement | Promise<HTMLElement>} load Creates the details, with the class `behind`.
 */
export const createDisclosure = (label, load) => {
	const button = html('button', {'type': 'button', 'class': 'plain', 'aria-expanded': 'false'}, label);
	button.addEventListener('click', async () => {
		const row = button.closest('li');
		if (row?.ariaBusy === 'true') {
			return;
		}

		const shown = row?.querySelector('.behind');
		button.setAttribute('aria-expanded', String(!shown));
		if (shown) {
			shown.remove();
		} else {
			// Reading the texts of a long history takes seconds.
			row?.setAttribute('aria-busy', 'true');
			row?.append(await Promise.resolve().then(load).catch(error => html('p', {class: 'behind quiet'}, describeError(error))));
			row?.removeAttribute('aria-busy');
		}
	});
	return button;
};

/**
 * Creates a button that shows and hides what is behind an entry.
 *
 * @param {Entry} entry
 * @param {Grouping} by
 * @param {() => View} viewOf
 */
export const createExplainer = (entry, by, viewOf) => createDisclosure(nameOf(entry), () => explainEntry(entry, by, viewOf()));
