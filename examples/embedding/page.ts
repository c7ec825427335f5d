/**
 * An identity in a page: `esbuild page.ts --bundle --format=esm --outfile=page.js`. A bundler needs
 * no setting and no polyfill. A page provides its own encoder and themes, since it has no files or threads.
 */
import {openIdentity} from 'processual-state';
import {encoder} from './pairs-of-letters.ts';

const identity = await openIdentity({encoder, themes: {rumination: ['Who am I?'], corpus: ['The sea.']}});

document.body.innerHTML = '<form><input name="text" required> <button>Say</button></form> <output></output>';
const form = document.querySelector('form')!;
const output = document.querySelector('output')!;

identity.on('cycle.done', ({result}) => {
	output.value = `state ${result.stateId}, dissonance ${result.dissonanceTotal.toFixed(2)}`;
});

/** All texts that are said until the page is reloaded are one conversation. */
const conversation = crypto.randomUUID();

form.addEventListener('submit', event => {
	event.preventDefault();
	void identity.cycle({content: String(new FormData(form).get('text')), conversation});
});
