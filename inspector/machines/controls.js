// @ts-check
/** The controls of the machines: start and stop the daemon, reset. */
import {requestJson} from '../api.js';
import {getById} from '../dom.js';
import {runOnce} from '../outcome.js';
import {phrase, translated} from '../phrase.js';

const outcome = getById('machine-outcome', HTMLOutputElement);

const connectDaemon = () => {
	const button = getById('daemon', HTMLButtonElement);
	button.addEventListener('click', () => {
		const isRunning = button.getAttribute('aria-pressed') === 'true';
		void runOnce(button, outcome, async () => {
			const {message} = await requestJson('POST', isRunning ? 'daemon/stop' : 'daemon/start');
			outcome.textContent = translated(message);
		});
	});
};

/** @param {boolean} isRunning */
export const showDaemon = isRunning => {
	const button = getById('daemon', HTMLButtonElement);
	button.setAttribute('aria-pressed', String(isRunning));
	button.textContent = isRunning ? phrase`Stop the daemon` : phrase`Start the daemon`;
};

const connectReset = () => {
	const button = getById('reset', HTMLButtonElement);
	const dialog = getById('reset-dialog', HTMLDialogElement);
	button.addEventListener('click', () => dialog.showModal());
	getById('reset-cancel', HTMLButtonElement).addEventListener('click', () => dialog.close());
	getById('reset-confirm', HTMLButtonElement).addEventListener('click', () => {
		dialog.close();
		void runOnce(button, outcome, async () => {
			const {state_id: id} = await requestJson('POST', 'reset');
			outcome.textContent = phrase`Reset: the state is ${id} again.`;
		});
	});
};

export const connectControls = () => {
	connectDaemon();
	connectReset();
};
