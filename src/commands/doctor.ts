/** `processual doctor`: prints one line for each part. Exit code 1 if a part does not work. */
import {diagnose} from './doctor/diagnose.ts';
import {findMisspelled} from './read-settings.ts';
import type {Settings} from './settings.ts';

const signs = {ok: '✓', warning: '!', error: '✗'};

export const doctor = async (settings: Settings): Promise<void> => {
	for (const misspelled of findMisspelled(process.env)) {
		process.stdout.write(`${signs.warning} settings: ${misspelled}\n`);
	}

	for await (const {part, state, message} of diagnose(settings)) {
		process.stdout.write(`${signs[state]} ${part}: ${message}\n`);
		process.exitCode ||= Number(state === 'error');
	}
};
