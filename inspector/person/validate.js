// @ts-check
/** Validates the present state. A dialog asks for a note, and shows what is missing if a validation is not possible yet. */
import {requestJson} from '../api.js';
import {getById} from '../dom.js';
import {runOnce} from '../outcome.js';
import {formatCount, phrase} from '../phrase.js';

export const connectValidate = () => {
	const dialog = getById('validate-dialog', HTMLDialogElement);
	const form = getById('validate-form', HTMLFormElement);
	const note = getById('note', HTMLTextAreaElement);
	const failure = getById('validate-failure', HTMLOutputElement);
	const outcome = getById('validate-outcome', HTMLOutputElement);
	const button = /** @type {HTMLButtonElement} */ (form.querySelector('button.primary'));
	/** Whether the dialog has warned that the model cannot read many of the texts: the next press validates anyway. */
	let isUnreadAccepted = false;
	getById('validate', HTMLButtonElement).addEventListener('click', () => {
		failure.textContent = '';
		button.textContent = phrase`Validate`;
		isUnreadAccepted = false;
		dialog.showModal();
	});
	getById('validate-cancel', HTMLButtonElement).addEventListener('click', () => dialog.close());
	form.addEventListener('submit', event => {
		event.preventDefault();
		void runOnce(button, failure, async () => {
			failure.textContent = phrase`Validating …`;
			const {state_id: id, baseline: {texts, heard, conversations}} = await requestJson('POST', 'validate', {note: note.value, ...(isUnreadAccepted && {accept_unread: true})}).catch(error => {
				if (error.code === 'unread_texts') {
					isUnreadAccepted = true;
					button.textContent = phrase`Validate anyway`;
				}

				throw error;
			});
			note.value = '';
			dialog.close();
			outcome.textContent = phrase`Validated at state ${id}, with ${formatCount(texts, 'text')}, ${heard} of them by others, in ${formatCount(conversations, 'conversation')}.`;
		});
	});
};
