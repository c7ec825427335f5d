/** A host with journals on disk, for one test; its identities have an encoder without a model. */
import path from 'node:path';
import type {ExecutionContext} from 'ava';
import {systemTime, unrefTimers} from '../../src/platform/clock.ts';
import {createEmbeddedHost, type EmbeddedHostOptions} from '../../src/host/embedded-host.ts';
import type {LocalIdentity} from '../../src/identity/identity.ts';
import {openJournals} from '../../src/journal/sqlite/journals.ts';
import {selectKernel} from '../../src/kernel/select.ts';
import {startIdentity} from '../actors/fixtures.ts';

export const kernel = selectKernel();

/** A host in a folder; the default identity's journal is beside the others. */
export const hostIn = (t: ExecutionContext, folder: string, options: Partial<EmbeddedHostOptions> = {}) => {
	const warnings: string[] = [];
	const host = createEmbeddedHost({
		defaultName: 'default',
		journals: openJournals({folder: path.join(folder, 'identities'), elsewhere: {default: path.join(folder, 'journal')}}),
		open: async (name, journal, {state} = {}) => (await startIdentity({
			kernel,
			journal,
			newId: () => crypto.randomUUID(),
			person: {words: `I am ${name}.`, profile: null},
			...(state && {initialState: state}),
		})).identity,
		maxLive: 100,
		idleMs: 60_000,
		time: systemTime,
		timers: unrefTimers,
		warn(warning) {
			warnings.push(warning);
		},
		...options,
	});
	t.teardown(async () => host[Symbol.asyncDispose]());
	const find = async (name: string): Promise<LocalIdentity> => {
		const placement = await host.place(name);
		return 'here' in placement ? placement.here : t.fail() as never;
	};

	return {host, find, warnings};
};
