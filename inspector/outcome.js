// @ts-check
/** The outcome of a user's action: its result, or why it failed. */
import {describeError} from './api.js';

/**
 * Runs an action; until it ends, its button has no effect. A failure is shown as the outcome.
 *
 * @param {HTMLButtonElement} button
 * @param {HTMLOutputElement} outcome
 * @param {() => Promise<void>} act
 */
export const runOnce = async (button, outcome, act) => {
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

/** Removes the messages of failures: once the service answers again, they no longer apply. */
export const clearFailures = () => {
	for (const outcome of document.querySelectorAll('output.failed')) {
		outcome.classList.remove('failed');
		outcome.textContent = '';
	}
};
