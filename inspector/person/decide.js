// @ts-check
/** The dialog for a decision about texts: it previews the effect and asks for a reason. The page then shows the outcome. */
import {describeError} from '../api.js';
import {getById} from '../dom.js';
import {runOnce} from '../outcome.js';
import {phrase} from '../phrase.js';

/**
 * @typedef {object} Decision
 * @property {string} title The question.
 * @property {string} text What the decision means.
 * @property {(hold: boolean) => Promise<string>} [foresee] Describes the effect in advance.
 * @property {boolean} [hold] Whether further texts are on hold now; undefined if the decision cannot hold them.
 * @property {string} [word] The word to type as a confirmation, since the decision cannot be undone.
 * @property {string} [confirm] The label of the button.
 * @property {(given: {note: string, hold: boolean}) => Promise<(Node | string)[]>} decide Carries it out, and describes the outcome.
 */

const dialog = getById('decide-dialog', HTMLDialogElement);
const effect = getById('decide-effect', HTMLOutputElement);
const failure = getById('decide-failure', HTMLOutputElement);
const hold = getById('decide-hold', HTMLInputElement);
const word = getById('decide-word', HTMLInputElement);
const note = getById('decide-note', HTMLTextAreaElement);
const button = getById('decide-confirm', HTMLButtonElement);
const outcome = getById('decide-outcome', HTMLOutputElement);

/** The decision that the open dialog asks for. @type {Decision | undefined} */
let asked;

/** Opens the dialog for a decision. @param {Decision} decision */
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
		const isHeld = hold.checked;
		const text = await decision.foresee(isHeld).catch(describeError);
		if (asked === decision && isHeld === hold.checked) {
			effect.textContent = text;
		}
	}
};

export const connectDecide = () => {
	getById('decide-cancel', HTMLButtonElement).addEventListener('click', () => dialog.close());
	hold.addEventListener('change', () => asked && showEffect(asked));
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
