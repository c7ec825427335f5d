/** Waits for snapshots of a process, which may end first. */
import {waitFor as waitForSnapshot} from 'xstate';
import type {StepReport} from '../actors/boot.ts';
import type {ProcessSnapshot} from '../actors/process.ts';
import {UnavailableError} from '../platform/errors.ts';
import type {ProcessActor} from './pending-requests.ts';

/** Waits for a matching snapshot; resolves with the last one if the actor ends first. @throws the error of an actor that fails */
export const waitFor = async (actor: ProcessActor, isThere: (snapshot: ProcessSnapshot) => boolean): Promise<ProcessSnapshot> => {
	try {
		return await waitForSnapshot(actor, isThere);
	} catch (error) {
		const snapshot = actor.getSnapshot();
		if (snapshot.status === 'error') {
			throw error;
		}

		return snapshot;
	}
};

/** Resolves with the boot's report. @throws the error that failed the boot, or the signal's reason */
export const waitForBoot = async (actor: ProcessActor, signal?: AbortSignal): Promise<readonly StepReport[]> => {
	const settled = await waitFor(actor, state => !state.matches('booting'));
	if (settled.matches('stopped') || settled.status === 'stopped') {
		signal?.throwIfAborted();
		throw new UnavailableError('The process was stopped.');
	}

	return settled.context.report;
};
