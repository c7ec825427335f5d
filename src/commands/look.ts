/** `processual look`: reads a user's logs, lets a new identity hear them, and says whether it drifted and because of whom. */
import {createHash} from 'node:crypto';
import {statSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import {readTime} from '../platform/clock.ts';
import {ConfigurationError} from '../platform/errors.ts';
import {makeFolder} from '../platform/files/folders.ts';
import {locatePackageFile} from '../platform/package-file.ts';
import {phrase} from '../platform/phrase.ts';
import {bringHistory, print, type Brought} from './history/bring-history.ts';
import {drawPath} from './history/describe-findings.ts';
import {Settings} from './settings.ts';
import {showDrift} from './show-answers.ts';

/** Options of `look`, `demo` and `import history`, besides the paths. */
export type LookOptions = {
	/** A day or a time. For `look`, half-way by default. */
	readonly validate?: string | undefined;
	readonly self?: readonly string[] | undefined;
	/** Whether to serve and open the page. */
	readonly serve: boolean;
};

/** Brings the paths into a new identity, prints its drift, and serves its page on request. */
export const look = async (given: Settings, paths: readonly string[], {validate, self = [], serve}: LookOptions): Promise<void> => {
	// It stays on this machine, even with the settings of a service, whose database has the identities of others.
	const {DATABASE_URL: database, DATABASE_SESSION_URL: _, ...settings} = given;
	claimUsualFolder(settings);
	const opened = await bringHistory(settings, {
		paths, ownNames: self, validate: validate === undefined ? 'half-way' : toTime(validate), isNew: true,
	}, async brought => {
		print(await describeResult(brought));
		return brought.settings;
	});
	const option = `--data-dir ${opened.DATA_DIR}`;
	print([
		phrase`The identity is in ${opened.DATA_DIR}. To ask it more:`,
		`  processual sources ${option}`,
		`  processual ledger --by text ${option}`,
		...serve ? [] : [`  processual serve ${option}`],
		...database === undefined ? [] : [phrase`DATABASE_URL is set, and names another place: unset it first.`],
	].join('\n'));
	if (serve) {
		await (await import('./serve-page.ts')).servePage(opened);
	}
};

/** `processual demo`: the history of the README. Without a store's state it begins at random, with a fixed seed: the same everywhere. */
export const demo = async (given: Settings, serve: boolean): Promise<void> => {
	const {WEAVIATE_URL: _, ...settings} = given;
	await look(settings, [fileURLToPath(locatePackageFile('examples/life/history.jsonl'))], {validate: '2026-10-01', serve});
};

/** `processual import history`: an existing or a new identity hears the texts after its newest one. */
export const importHistory = async (
	settings: Settings, paths: readonly string[], {validate, self = []}: Omit<LookOptions, 'serve'>,
): Promise<void> => bringHistory(settings, {
	paths, ownNames: self, validate: validate === undefined ? null : toTime(validate), isNew: false,
}, async ({identity, replayed: {heard, problem}}) => {
	print([phrase`Texts heard: ${heard}. The identity is at state
		${identity.state().stateId}.`, ...problem === null ? [] : [problem]].join('\n'));
});

/** A channel may have thousands of sources; “processual sources” lists more. */
const maxNamed = 10;

const describeResult = async ({identity, replayed: {problem}}: Brought): Promise<string> => {
	const drift = await identity.drift();
	if (drift.validation === null) {
		return drift.note!;
	}

	return [
		phrase`Validated at state ${drift.validation.stateId}: the ${drift.validation.texts} texts before it,
			in ${drift.validation.conversations} conversations, are the baseline.`,
		// The drift's note, below, may say the same.
		problem !== null && drift.note?.includes(problem) ? null : problem,
		showDrift({...drift, sources: drift.sources.slice(0, maxNamed), note: null}),
		drawPath(drift),
		drift.note,
	].filter(part => part !== null).join('\n\n');
};

/** @throws {ConfigurationError} if it is neither a day nor a time */
const toTime = (given: string): number => {
	const time = readTime(given);
	if (Number.isNaN(time)) {
		throw new ConfigurationError(`--validate takes a day or a time, such as 2026-03-01, not ${given}.`);
	}

	return time;
};

/** The folder for a user's identities without a DATA_DIR. A user of a container may have no name. In Windows the parent is the user's. */
const usualFolder = (): string => path.join(tmpdir(), `processual-${process.getuid?.() ?? 'user'}`);

/** The commands' default settings: the same call finds the same folder again. */
export const usualSettings = (name: string, key: readonly string[] = []): Partial<Settings> => {
	const digest = key.length === 0 ? '' : `-${createHash('sha256').update(JSON.stringify(key)).digest('hex').slice(0, 8)}`;
	return {DATA_DIR: path.join(usualFolder(), `${name}${digest}`)};
};

/** Other options make another identity, because its validation and the agent's names are decided only once. */
export const usualSettingsOfLook = (
	paths: readonly string[], {validate, self = []}: Omit<LookOptions, 'serve'>,
): Partial<Settings> => usualSettings('look', [
	process.cwd(), ...paths, ...validate === undefined ? [] : [`--validate=${validate}`], ...self.map(name => `--self=${name}`),
]);

/** @throws {ConfigurationError} if another user made the folder */
const claimUsualFolder = ({DATA_DIR: folder}: Settings): void => {
	const usual = usualFolder();
	if (path.dirname(folder) === usual) {
		makeFolder(usual);
		if (process.getuid && statSync(usual).uid !== process.getuid()) {
			throw new ConfigurationError(`${usual} belongs to another user. Name a folder with --data-dir.`);
		}
	}
};
