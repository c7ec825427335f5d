// @ts-check
/** Undo, which takes the weight of some texts away; forget, which removes them for good; and the list of decisions. */
import {requestJson} from '../api.js';
import {createButton, getById, html, replaceRows} from '../dom.js';
import {formatAngle, formatDate} from '../format.js';
import {formatCount, formatInteger, phrase, phraseParts} from '../phrase.js';
import {askToDecide} from './decide.js';
import {nameSource} from './entries.js';
import {askInTurn} from './instruments.js';

/** @typedef {{sources?: string[], conversations?: string[], triggers?: string[], ids?: string[]}} Choice */
/** @typedef {{id: string, timestamp: string, kind: 'revision' | 'hold' | 'release' | 'drop', note: string, by: string | null, without: Choice | null, at: {state_id: number} | null, holds: Choice | null, settled: number, excluded: number, forgotten: {texts: number} | null, state_id: number, turn_mrad: number}} Revision */

/** @param {Choice | null} choice */
const namesOf = choice => Object.entries(choice ?? {}).flatMap(([kind, names]) => kind === 'sources' ? names.map(nameSource) : names).join(', ');

/** A decision in words. @param {Revision} revision */
export const describeDecision = ({kind, without, at, holds, settled, excluded, forgotten}) => {
	if (kind === 'hold') {
		return holds ? phrase`Further texts of ${namesOf(holds) || '…'} wait` : phrase`Further texts pass again`;
	}

	if (kind !== 'revision') {
		return kind === 'release' ? phrase`${formatCount(settled, 'held text')} released` : phrase`${formatCount(settled, 'held text')} dropped`;
	}

	const what = forgotten
		? forgotten.texts === 0 ? phrase`A name forgotten` : phrase`${formatCount(forgotten.texts, 'text')} forgotten`
		: at ? phrase`Back to state ${at.state_id}` : excluded === 0 && !namesOf(without) ? phrase`All texts again` : phrase`Without ${namesOf(without)}`;
	return holds && !forgotten ? phrase`${what}; further texts of ${namesOf(holds) || '…'} wait` : what;
};

/** Asks whether to leave out the texts of these sources too. @param {string[]} sources */
export const askToUndo = async sources => {
	// A revision replaces the one in force and its hold, so it must begin with them as they are now.
	const {revisions} = await requestJson('GET', 'revisions');
	const leftOut = findInForce(revisions)?.without ?? {};
	const isHolding = Boolean(revisions.findLast((/** @type {Revision} */ {kind}) => kind === 'revision' || kind === 'hold')?.holds);
	askToRevise({...leftOut, sources: [...new Set([...leftOut.sources ?? [], ...sources])]}, isHolding);
};

/** The revision in force. @param {Revision[]} decisions Oldest first. */
const findInForce = decisions => decisions.findLast(({kind, forgotten}) => kind === 'revision' && !forgotten);

/** @param {Choice} without @param {boolean} [isHolding] Whether a hold is in force. */
const askToRevise = (without, isHolding = false) => {
	const names = namesOf(without);
	askToDecide({
		title: names ? phrase`Undo the texts of ${names}?` : phrase`Hear all texts again?`,
		text: names
			? phrase`The state becomes what it would be if they had never been heard. The journal keeps them, with your note, and they can be taken back.`
			: phrase`The state becomes what it would be if no text had been left out, and no hold is in force any more.`,
		...(names && {hold: isHolding}),
		foresee: async hold => describeEffect(await requestJson('POST', 'revise', {without, note: 'A dry run of the inspector.', dry_run: true, ...(names && {hold})})),
		async decide({note, hold}) {
			const {state_id: id, excluded} = await requestJson('POST', 'revise', {without, note, ...(names && {hold})});
			return [excluded === 0 ? phrase`State ${id}: all texts are heard again.` : phrase`State ${id}: without ${formatCount(excluded, 'text')}.`];
		},
	});
};

/** Asks whether further texts may pass again; what is left out stays so. */
export const askToEndHold = () => askToDecide({
	title: phrase`Let further texts pass?`,
	text: phrase`Further texts move the state at once again. Texts that wait keep waiting until they are released or dropped.`,
	async decide({note}) {
		await requestJson('POST', 'hold', {take_back: true, note});
		return [phrase`Further texts pass again.`];
	},
});

/** @param {{texts: number, excluded: number, turn_mrad: number, words: string[], limit: string | null}} answer */
const describeEffect = ({texts, excluded, turn_mrad: angle, words, limit}) => [
	phrase`I would be made of ${formatCount(texts, 'text')}; ${formatInteger(excluded)} weigh nothing. That turns me by ${formatAngle(angle)}.`, ...words, limit,
].filter(Boolean).join(' ');

/** Asks whether to forget texts for good. @param {Choice} choice */
export const askToForget = choice => askToDecide({
	title: phrase`Forget the texts of ${namesOf(choice)} for good?`,
	text: phrase`Texts, metadata and vectors are removed from everything that the service keeps, and every later state is computed again without them. It cannot be undone. Write no name in your note: it is kept.`,
	word: phrase`forget`,
	confirm: phrase`Forget for good`,
	foresee: async () => describeForgetting(await requestJson('POST', 'forget', {...choice, note: 'A dry run of the inspector.', dry_run: true})),
	async decide({note}) {
		const {texts, receipt} = await requestJson('POST', 'forget', {...choice, note});
		const file = new Blob([JSON.stringify(receipt, null, '\t')], {type: 'application/json'});
		const link = html('a', {href: URL.createObjectURL(file), download: `forget-receipt-${receipt.id}.json`}, phrase`Download the receipt`);
		return [...phraseParts`${formatCount(texts, 'text')} forgotten. ${link} now: the service keeps none.`, receipt.unreached.length > 0 ? ` ${phrase`Not reached: ${receipt.unreached.join(' ')}`}` : ''];
	},
});

/** @param {{texts: number, turn_mrad: number, words: string[], validation: string | null, limit: string | null}} answer */
const describeForgetting = ({texts, turn_mrad: angle, words, validation, limit}) => [
	phrase`${formatCount(texts, 'text')} would be gone. That turns me by ${formatAngle(angle)}.`, ...words, validation, limit,
].filter(Boolean).join(' ');

/** The decisions, as the timeline last requested them. @type {Promise<Revision[]>} */
let lastRead = Promise.resolve([]);

/** Requests all decisions, oldest first; there are none without a journal. After a failure they are those of the last answer. */
export const readDecisions = () => {
	const known = lastRead;
	lastRead = askInTurn('revisions').then(({revisions}) => revisions, () => known);
	return lastRead;
};

/** Lists the decisions, newest first. */
export const listDecisions = async () => {
	const decisions = await lastRead;
	const inForce = findInForce(decisions);
	getById('revised', HTMLElement).hidden = decisions.length === 0;
	replaceRows(getById('revisions', HTMLUListElement), ...decisions.toReversed().map(decision => html('li', {'data-id': decision.id}, describeRow(decision), ...(decision === inForce ? createButtons(decision) : []))));
};

/** @param {Revision} decision */
const describeRow = decision => {
	const {timestamp, note, by, kind, excluded, turn_mrad: angle} = decision;
	const [when, what] = [`${formatDate(timestamp)}${by === null ? '' : `, ${by}`}`, describeDecision(decision)];
	const row = kind === 'revision'
		? phrase`${when}: ${what}; ${formatCount(excluded, 'text')} out, ${formatAngle(angle)}.`
		: phrase`${when}: ${what}; ${formatAngle(angle)}.`;
	return `${row}${note && ` ${phrase`“${note}”`}`} `;
};

/** The buttons of the revision in force. Texts can be forgotten by name only, not by trigger. @param {Revision} revision */
const createButtons = ({excluded, without}) => {
	const {triggers: _, ...named} = without ?? {};
	return [
		excluded > 0 && createButton(phrase`Take back`, () => askToRevise({})),
		excluded > 0 && namesOf(named) && createButton(phrase`Forget …`, () => askToForget(named), phrase`Forget the texts of ${namesOf(named)} …`),
	].filter(button => button instanceof HTMLElement);
};
