/** Drafts of whole journals that killed commands and services left in DATA_DIR. Forgetting a text must reach them, too. */
import {existsSync, readdirSync, rmSync, statSync} from 'node:fs';
import path from 'node:path';
import {databasePath} from '../journal/sqlite/database.ts';
import {ifExists} from '../platform/files/folders.ts';
import type {ForgotThere} from '../sources/forget-texts.ts';
import {toJournalsFolder} from './options.ts';
import type {Settings} from './settings.ts';

/** A draft that is being written changes more often than this. */
const maxRestMs = 3_600_000;

/**
 * A service creates identities and backups in an exclusive folder, where anything older than this process was left by another one.
 * The drafts of `restore`, `reembed` and `move` are beside their targets, and another command may still be writing them.
 */
const draftsIn = (settings: Settings): Array<{draft: string; latest: number}> => {
	const journals = toJournalsFolder(settings);
	const begun = path.join(journals, '.begun');
	const rested = Date.now() - maxRestMs;
	return [settings.DATA_DIR, journals, begun].flatMap(folder => (ifExists(() => readdirSync(folder)) ?? [])
		.filter(name => folder === begun || name.endsWith('~new'))
		.map(name => ({draft: path.join(folder, name), latest: folder === begun ? Math.max(rested, performance.timeOrigin) : rested})))
		.filter(({draft}) => existsSync(databasePath(draft)));
};

const lastChangeOf = (draft: string): number => Math.max(...[draft, databasePath(draft)]
	.map(file => ifExists(() => statSync(file).mtimeMs) ?? 0));

/** Removes the drafts that no program is writing any more, and names the others. */
export const removeLeftDrafts = (settings: Settings): ForgotThere => {
	const drafts = draftsIn(settings).map(({draft, latest}) => ({draft, isLeft: lastChangeOf(draft) < latest}));
	const left = drafts.filter(({isLeft}) => isLeft);
	for (const {draft} of left) {
		rmSync(draft, {recursive: true, force: true});
	}

	return {
		removed: left.map(({draft}) => `${draft}, a copy of a journal, left by a program that was killed.`),
		unreached: drafts.filter(({isLeft}) => !isLeft).map(({draft}) =>
			`${draft}, a copy of a journal. A program is making it; if that program was killed, delete the copy.`),
	};
};
