// @ts-check
/** The controls: send a text, start and stop the daemon, reset, put the state into words. */
import {describeError, requestJson} from './api.js';
import {getById, html} from './dom.js';
import {formatDuration, formatNumber} from './format.js';

const outcome = getById('outcome', HTMLOutputElement);

/**
 * Runs an action; until it ends, its button has no effect.
 *
 * @param {HTMLButtonElement} button
 * @param {() => Promise<void>} act
 */
const runOnce = async (button, act) => {
	if (button.getAttribute('aria-disabled') === 'true') {
		return;
	}

	// A disabled button would lose the keyboard's focus.
	button.setAttribute('aria-disabled', 'true');
	outcome.classList.remove('failed');
	try {
		await act();
	} catch (error) {
		outcome.classList.add('failed');
		outcome.textContent = describeError(error);
	} finally {
		button.removeAttribute('aria-disabled');
	}
};

const connectForm = () => {
	const form = getById('cycle-form', HTMLFormElement);
	const field = getById('content', HTMLTextAreaElement);
	const button = /** @type {HTMLButtonElement} */ (form.querySelector('button'));
	field.addEventListener('keydown', event => {
		if (event.key === 'Enter' && !event.shiftKey && !event.isComposing) {
			event.preventDefault();
			form.requestSubmit();
		}
	});
	form.addEventListener('submit', event => {
		event.preventDefault();
		void runOnce(button, async () => {
			outcome.textContent = 'Running a cycle …';
			const {state_id: id, dissonance_total: total, is_choc: isChoc, delta_magnitude: delta, processing_time_ms: time} = await requestJson('POST', 'cycle', {content: field.value});
			field.value = '';
			outcome.textContent = `State ${id}: dissonance ${formatNumber(total)}${isChoc ? ', a choc' : ''}; moved by ${formatNumber(delta)} in ${formatDuration(time)}.`;
		});
	});
};

const connectDaemon = () => {
	const button = getById('daemon', HTMLButtonElement);
	button.addEventListener('click', () => {
		const isRunning = button.getAttribute('aria-pressed') === 'true';
		void runOnce(button, async () => {
			const {message} = await requestJson('POST', isRunning ? 'daemon/stop' : 'daemon/start');
			outcome.textContent = message;
		});
	});
};

/** @param {boolean} isRunning */
export const showDaemon = isRunning => {
	const button = getById('daemon', HTMLButtonElement);
	button.setAttribute('aria-pressed', String(isRunning));
	button.textContent = isRunning ? 'Stop the daemon' : 'Start the daemon';
};

const connectReset = () => {
	const button = getById('reset', HTMLButtonElement);
	const dialog = getById('reset-dialog', HTMLDialogElement);
	button.addEventListener('click', () => dialog.showModal());
	getById('reset-cancel', HTMLButtonElement).addEventListener('click', () => dialog.close());
	getById('reset-confirm', HTMLButtonElement).addEventListener('click', () => {
		dialog.close();
		void runOnce(button, async () => {
			const {state_id: id} = await requestJson('POST', 'reset');
			outcome.textContent = `Reset: the state is ${id} again.`;
		});
	});
};

const connectTranslate = () => {
	const button = getById('translate', HTMLButtonElement);
	const words = getById('words', HTMLQuoteElement);
	button.addEventListener('click', () => {
		void runOnce(button, async () => {
			outcome.textContent = 'Translating …';
			words.hidden = true;
			const {text, faithfulness} = await requestJson('POST', 'translate', {});
			outcome.textContent = typeof faithfulness === 'number' ? `In words, with a faithfulness of ${formatNumber(faithfulness)}:` : 'In words:';
			words.replaceChildren(html('p', {}, text));
			words.hidden = false;
		});
	});
};

export const connectControls = () => {
	connectForm();
	connectDaemon();
	connectReset();
	connectTranslate();
};
