// @ts-check
/** The text box: shows what a text would do while it is written, and then says it. */
import {requestJson} from '../api.js';
import {getById} from '../dom.js';
import {formatNumber} from '../format.js';
import {runOnce} from '../outcome.js';
import {phrase} from '../phrase.js';
import {previewSoon} from './dry-run.js';

/** All texts that are said here until the page is reloaded are one conversation. */
const conversation = `inspector ${new Date(performance.timeOrigin).toISOString()}`;

export const connectSay = () => {
	const form = getById('cycle-form', HTMLFormElement);
	const field = getById('content', HTMLTextAreaElement);
	const source = getById('source', HTMLInputElement);
	const outcome = getById('outcome', HTMLOutputElement);
	const button = /** @type {HTMLButtonElement} */ (form.querySelector('button.primary'));
	/** The text as it would be sent now. */
	const written = () => {
		const name = source.value.trim();
		return {content: field.value, conversation, ...(name && {source: name})};
	};

	/** The text that was sent last, and its key: the same text again, after its answer was lost, moves the state once. */
	let sent = {text: '', key: ''};
	for (const input of [field, source]) {
		input.addEventListener('input', () => previewSoon(written()));
	}

	field.addEventListener('keydown', event => {
		if (event.key === 'Enter' && !event.shiftKey && !event.isComposing) {
			event.preventDefault();
			form.requestSubmit();
		}
	});
	form.addEventListener('submit', event => {
		event.preventDefault();
		void runOnce(button, outcome, async () => {
			outcome.textContent = phrase`Running a cycle …`;
			const text = JSON.stringify(written());
			sent = sent.text === text ? sent : {text, key: crypto.getRandomValues(new Uint32Array(4)).join('-')};
			const {state_id: id, dissonance_total: total, held} = await requestJson('POST', 'cycle', written(), {'Idempotency-Key': sent.key});
			sent.text = '';
			field.value = '';
			previewSoon(written());
			outcome.textContent = held ? phrase`State ${id}: it is held back. ${held}` : phrase`State ${id}: it was said, with a dissonance of ${formatNumber(total)}.`;
		});
	});
};
