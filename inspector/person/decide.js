// @ts-check
/** The dialog of a decision about texts: it says what that does before it is done, and asks why; the page says what was done. */
import {describeError} from '../api.js';
import {getById} from '../dom.js';
import {runOnce} from '../outcome.js';
import {phrase} from '../phrase.js';

/**
 * @typedef {object} Decision
 * @property {string} title What is asked.
 * @property {string} text What it means.
 * @property {() => Promise<string>} [foresee] Says what it would do.
 * @property {boolean} [hold] Where further texts can be held too: whether they are, as it stands.
 * @property {string} [word] What must be typed, since it cannot be taken back.
 * @property {string} [confirm] What its button says.
 * @property {(given: {note: string, hold: boolean}) => Promise<(Node | string)[]>} decide Does it, and says what was done.
 */

const dialog = getById('decide-dialog', HTMLDialogElement);
const effect = getById('decide-effect', HTMLOutputElement);
const failure = getById('decide-failure', HTMLOutputElement);
const hold = getById('decide-hold', HTMLInputElement);
const word = getById('decide-word', HTMLInputElement);
const note = getById('decide-note', HTMLTextAreaElement);
const button = getById('decide-confirm', HTMLButtonElement);
const outcome = getById('decide-outcome', HTMLOutputElement);

/** What the open dialog is about. @type {Decision | undefined} */
let asked;

/** Asks whether to decide so. @param {Decision} decision */
export const askToDecide = decision => {
	asked = decision;
	getById('decide-title', HTMLHeadingElement).textContent = decision.title;
	getById('decide-text', HTMLParagraphElement).textContent = decision.text;
	getById('decide-hold-label', HTMLLabelElement).hidden = decision.hold === undefined;
	hold.checked = decision.hold ?? false;
	getById('decide-word-label', HTMLLabelElement).hidden = word.hidden = decision.word === undefined;
	getById('decide-word-expected', HTMLElement).textContent = decision.word ?? '';
	word.required = decision.word !== undefined;
	word.value = '';
	word.setCustomValidity('');
	button.textContent = decision.confirm ?? phrase`Do it`;
	failure.textContent = '';
	effect.textContent = '';
	dialog.showModal();
	void showEffect(decision);
};

/** @param {Decision} decision */
const showEffect = async decision => {
	if (decision.foresee) {
		effect.textContent = phrase`Asking what it would do …`;
		const said = await decision.foresee().catch(describeError);
		if (asked === decision) {
			effect.textContent = said;
		}
	}
};

export const connectDecide = () => {
	getById('decide-cancel', HTMLButtonElement).addEventListener('click', () => dialog.close());
	word.addEventListener('input', () => word.setCustomValidity(''));
	getById('decide-form', HTMLFormElement).addEventListener('submit', event => {
		event.preventDefault();
		if (!asked || asked.word !== undefined && word.value.trim() !== asked.word) {
			word.setCustomValidity(phrase`Type ${asked?.word ?? ''}.`);
			word.reportValidity();
			return;
		}

		const {decide} = asked;
		void runOnce(button, failure, async () => {
			const done = await decide({note: note.value, hold: hold.checked});
			note.value = '';
			dialog.close();
			outcome.replaceChildren(...done);
			// The button that opened the dialog may be gone.
			outcome.focus();
		});
	});
};
