// @ts-check
/** Says that this is who the identity should be. A dialog asks what for, and shows what is missing where it cannot be said yet. */
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
	/** Whether the reader was told that the model cannot read many of the texts, and validates all the same. */
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
