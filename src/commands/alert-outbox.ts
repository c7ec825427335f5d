/** A file with the alerts that no receiver has got yet: the next start sends them. */
import {readFileSync, rmSync} from 'node:fs';
import path from 'node:path';
import {reasonOf, type Warn} from '../platform/errors.ts';
import {ifExists, makeFolder} from '../platform/files/folders.ts';
import {writeFileAtomically} from '../platform/files/write.ts';
import type {Outbox} from './webhook.ts';

/** If the file can be neither read nor written, alerts are sent all the same, and a warning says what a restart would lose. */
export const openOutbox = (file: string, warn: Warn): Outbox => {
	const attempt = <Result>(run: () => Result): Result | null => {
		try {
			return run();
		} catch (error) {
			warn(`Alerts that wait for their receiver are not kept across a restart: ${reasonOf(error)}. Check ${file}.`, error);
			return null;
		}
	};

	return {
		read: () => attempt(() => [...JSON.parse(ifExists(() => readFileSync(file, 'utf8')) ?? '[]') as ReturnType<Outbox['read']>]) ?? [],
		write(waiting) {
			attempt(() => {
				if (waiting.length === 0) {
					rmSync(file, {force: true});
				} else {
					makeFolder(path.dirname(file));
					writeFileAtomically(file, JSON.stringify(waiting));
				}
			});
		},
	};
};
