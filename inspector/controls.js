// @ts-check
/** What can be done from here: to say something, to start and stop the daemon, to reset, to have the state put into words. */
import {byId, html} from './dom.js';
import {ask, Refusal} from './api.js';
import {duration, figure} from './format.js';

const outcome = byId('outcome', HTMLOutputElement);

/** @param {unknown} error */
const reason = error => error instanceof Refusal ? error.message : 'The service cannot be reached.';

/**
 * Does something that takes its time; meanwhile its button cannot be pressed again.
 *
 * @param {HTMLButtonElement} button
 * @param {() => Promise<void>} act
 */
const busily = async (button, act) => {
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
		outcome.textContent = reason(error);
	} finally {
		button.removeAttribute('aria-disabled');
	}
};

const connectSaying = () => {
	const form = byId('say-form', HTMLFormElement);
	const field = byId('say', HTMLTextAreaElement);
	const button = /** @type {HTMLButtonElement} */ (form.querySelector('button'));
	field.addEventListener('keydown', event => {
		if (event.key === 'Enter' && !event.shiftKey && !event.isComposing) {
			event.preventDefault();
			form.requestSubmit();
		}
	});
	form.addEventListener('submit', event => {
		event.preventDefault();
		void busily(button, async () => {
			outcome.textContent = 'Thinking …';
			const {state_id: id, dissonance_total: total, is_choc: isChoc, delta_magnitude: delta, processing_time_ms: time} = await ask('POST', 'cycle', {content: field.value});
			field.value = '';
			outcome.textContent = `State ${id}: dissonance ${figure(total)}${isChoc ? ', a choc' : ''}; moved by ${figure(delta)} in ${duration(time)}.`;
		});
	});
};

const connectDaemon = () => {
	const button = byId('daemon', HTMLButtonElement);
	button.addEventListener('click', () => {
		const isRunning = button.getAttribute('aria-pressed') === 'true';
		void busily(button, async () => {
			const {message} = await ask('POST', isRunning ? 'daemon/stop' : 'daemon/start');
			outcome.textContent = message;
		});
	});
};

/** @param {boolean} isRunning */
export const showDaemon = isRunning => {
	const button = byId('daemon', HTMLButtonElement);
	button.setAttribute('aria-pressed', String(isRunning));
	button.textContent = isRunning ? 'Stop the daemon' : 'Start the daemon';
};

/** @param {() => void} onReset */
const connectReset = onReset => {
	const button = byId('reset', HTMLButtonElement);
	const dialog = byId('reset-dialog', HTMLDialogElement);
	button.addEventListener('click', () => dialog.showModal());
	byId('reset-no', HTMLButtonElement).addEventListener('click', () => dialog.close());
	byId('reset-yes', HTMLButtonElement).addEventListener('click', () => {
		dialog.close();
		void busily(button, async () => {
			const {state_id: id} = await ask('POST', 'reset');
			outcome.textContent = `Reset: the state is ${id} again.`;
			onReset();
		});
	});
};

const connectWords = () => {
	const button = byId('translate', HTMLButtonElement);
	const words = byId('words', HTMLQuoteElement);
	button.addEventListener('click', () => {
		void busily(button, async () => {
			outcome.textContent = 'Looking for words …';
			words.hidden = true;
			const {text, faithfulness} = await ask('POST', 'translate', {});
			outcome.textContent = typeof faithfulness === 'number' ? `In words, of a faithfulness of ${figure(faithfulness)}:` : 'In words:';
			words.replaceChildren(html('p', {}, text));
			words.hidden = false;
		});
	});
};

/** @param {{onReset: () => void}} hearer */
export const connectControls = ({onReset}) => {
	connectSaying();
	connectDaemon();
	connectReset(onReset);
	connectWords();
};
