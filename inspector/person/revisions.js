// @ts-check
/** Undo: texts of some sources weigh nothing from now on. A dialog says what that does before it is done; a list takes it back. */
import {describeError, requestJson} from '../api.js';
import {getById, html} from '../dom.js';
import {formatAngle, formatCount, formatDate} from '../format.js';
import {runOnce} from '../outcome.js';
import {nameSource} from './entries.js';
import {askInstrument} from './instruments.js';

/** @typedef {{sources?: string[], conversations?: string[], triggers?: string[], ids?: string[]}} Choice */
/** @typedef {{id: string, timestamp: string, note: string, by: string | null, without: Choice | null, at: {state_id: number} | null, excluded: number, state_id: number, turn_mrad: number}} Revision */

const section = getById('without', HTMLElement);
const list = getById('revisions', HTMLUListElement);
const dialog = getById('revise-dialog', HTMLDialogElement);
const effect = getById('revise-effect', HTMLOutputElement);
const outcome = getById('revise-outcome', HTMLOutputElement);

/** What the open dialog is about. @type {Choice} */
let chosen = {};

/** What the newest revision leaves out. @type {Choice} */
let leftOut = {};

/** Asks whether to leave out the texts of sources too, beside what is left out already. @param {string[]} sources */
export const askToUndo = sources => askToRevise({...leftOut, sources: [...new Set([...leftOut.sources ?? [], ...sources])]});

/** Says what leaving texts out would do, and asks whether to. @param {Choice} without */
const askToRevise = without => {
	chosen = without;
	const names = without.sources?.map(nameSource).join(', ');
	getById('revise-title', HTMLHeadingElement).textContent = names ? `Undo the texts of ${names}?` : 'Hear all texts again?';
	getById('revise-failure', HTMLOutputElement).textContent = '';
	effect.textContent = 'Asking what it would do …';
	dialog.showModal();
	void showEffect(without);
};

/** Says what leaving texts out would do, or why that cannot be done. @param {Choice} without */
const showEffect = async without => {
	const said = await requestJson('POST', 'revise', {without, note: 'A dry run of the inspector.', dry_run: true}).then(describeEffect, describeError);
	if (chosen === without) {
		effect.textContent = said;
	}
};

/** @param {{texts: number, excluded: number, turn_mrad: number, words: string[], limit: string | null}} answer */
const describeEffect = ({texts, excluded, turn_mrad: angle, words, limit}) => [
	`I would be what ${formatCount(texts, 'text')} make of me; ${excluded.toLocaleString('en')} weigh nothing. That turns me by ${formatAngle(angle)}.`, ...words, limit,
].filter(Boolean).join(' ');

/** Requests all revisions, and lists them, the newest first. */
export const refreshRevisions = async () => {
	/** @type {{revisions: Revision[]} | null} */
	const answer = await askInstrument(section, 'revisions');
	const revisions = answer?.revisions.toReversed() ?? [];
	getById('revised', HTMLElement).hidden = revisions.length === 0;
	leftOut = revisions[0]?.without ?? {};
	list.replaceChildren(...revisions.map(describe));
};

/** @param {Revision} revision @param {number} place */
const describe = ({timestamp, note, by, without, at, excluded, turn_mrad: angle}, place) => {
	const what = at ? `Back to state ${at.state_id}` : excluded === 0 ? 'All texts again' : `Without ${Object.values(without ?? {}).flat().join(', ')}`;
	const item = html('li', {}, `${formatDate(timestamp)}${by === null ? '' : `, ${by}`}: ${what}; ${formatCount(excluded, 'text')} out, ${formatAngle(angle)}. “${note}” `);
	if (place === 0 && excluded > 0) {
		const button = html('button', {type: 'button', class: 'small'}, 'Take back');
		button.addEventListener('click', () => askToRevise({}));
		item.append(button);
	}

	return item;
};

export const connectRevisions = () => {
	const note = getById('revise-note', HTMLTextAreaElement);
	getById('revise-cancel', HTMLButtonElement).addEventListener('click', () => dialog.close());
	getById('revise-form', HTMLFormElement).addEventListener('submit', event => {
		event.preventDefault();
		void runOnce(getById('revise-confirm', HTMLButtonElement), getById('revise-failure', HTMLOutputElement), async () => {
			const {state_id: id, excluded} = await requestJson('POST', 'revise', {without: chosen, note: note.value});
			note.value = '';
			dialog.close();
			outcome.textContent = `State ${id}: ${excluded === 0 ? 'all texts are heard again' : `without ${formatCount(excluded, 'text')}`}.`;
			// The button that opened the dialog goes with the source.
			outcome.focus();
		});
	});
};
