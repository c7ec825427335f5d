/** The fleet of a folder: its rows, and when to open identities that are not in memory to update theirs. */
import type {FleetRequest} from '../generated/types.ts';
import type {LocalIdentity} from '../identity/identity.ts';
import {emptyRow} from '../instruments/fleet.ts';
import type {Journals} from '../journal/sqlite/journals.ts';
import type {Time, Timers} from '../platform/clock.ts';
import {reasonOf, type Warn} from '../platform/errors.ts';
import type {DueQueue, DueWork} from './due-runner.ts';
import {DueTimes} from './due-times.ts';
import {FleetFile} from './fleet-file.ts';
import {FleetRows} from './fleet.ts';

export type FolderFleet = ReturnType<typeof openFolderFleet>;

export const openFolderFleet = (file: string, journals: Journals, {time, timers, warn}: {time: Time; timers: Timers; warn: Warn}) => {
	const store = new FleetFile(file, warn);
	const rows = new FleetRows({store, time, timers, warn});
	const times = new DueTimes(time);
	const end = new AbortController();
	const warnOf = (name: string) => (error: unknown): void => {
		warn(`The row of “${name}” in the fleet could not be written; the next start corrects it: ${reasonOf(error)}`, error);
	};

	const add = (name: string, dueMs: number | null) => {
		if (dueMs !== null) {
			times.add(name, dueMs);
		}
	};

	/** Finds what an earlier run left: rows that are behind, and conversations that have ended since. */
	const begin = async () => {
		await store.compare(journals, end.signal);
		for (const {name, row, isCurrent} of await store.entries()) {
			add(name, isCurrent ? rows.dueIn(row.watch) : 0);
		}
	};

	begin().catch((error: unknown) => {
		if (!end.signal.aborted) {
			warn(`The rows of the fleet could not be compared with the journals: ${reasonOf(error)}`, error);
		}
	});
	return {
		rows,
		ask: async (request: FleetRequest) => rows.ask(request),
		/** The work that is due for identities that are not in memory. */
		due: {what: 'row in the fleet', queue: times, untilDone: async identity => rows.settle(identity)} satisfies DueWork & {queue: DueQueue},
		/** Called when an identity becomes live. */
		follow(name: string, identity: LocalIdentity): void {
			times.remove(name);
			rows.follow(name, identity);
		},
		/** Called before a live identity is closed. */
		leave(name: string, identity: LocalIdentity): void {
			void rows.leave(name, identity);
			add(name, rows.dueAfter(identity));
		},
		/** Called when an identity was created. Its journal exists, even if its row cannot be written. */
		begin: async (name: string): Promise<void> => store.put([{name, row: emptyRow, isCurrent: true}]).catch(warnOf(name)),
		/** Called when an identity was put aside. */
		remove(name: string): void {
			times.remove(name);
			try {
				store.remove(name);
			} catch (error) {
				warnOf(name)(error);
			}
		},
		async close(): Promise<void> {
			if (!end.signal.aborted) {
				end.abort();
				await rows.close();
				store.close();
			}
		},
	};
};
