/**
 * Kills a scenario at every file operation, and examines the files that each kill leaves.
 *
 * `killEverywhere` kills processes: it counts the operations once, then runs the scenario on a
 * fresh copy of the folder once per operation. `cutEverywhere` runs once, and makes the files that
 * each kill would leave from the recorded operations. That is a hundred times as fast, for
 * scenarios in which the recorded process does everything.
 */
import {cpSync, rmSync} from 'node:fs';
import {cp, mkdir, mkdtemp, readdir, readFile, realpath, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {isDeepStrictEqual} from 'node:util';
import {readRecord, redo} from './record.ts';
import {environmentOf, readOperations, type Injection, type LoggedOperation} from './shim.ts';

export type Scenario = {
	name: string;
	/** Fills the folder; each run begins with a copy of it. */
	prepare(folder: string): Promise<void>;
	/** Starts the process to be killed, with this environment added, and resolves when it has ended. */
	run(folder: string, environment: Record<string, string>): Promise<void>;
	/** What is wrong with the files that are left; null when nothing is. It may change the folder. */
	examine(folder: string): Promise<string | null>;
};

type Kill = NonNullable<Injection['kill']>;

export type Wrong = {kill: Kill; operation: string; what: string};

export type KillPointFindings = {
	scenario: string;
	/** Operations of a run that is not killed. */
	operations: number;
	kills: number;
	/** Runs that ended before their operation. */
	missed: number;
	wrong: Wrong[];
};

export type KillPointOptions = {
	/** `edges`: the first and the last of consecutive operations of one kind on one file; all by default. */
	at?: 'all' | 'edges';
	/** Called after each examination. */
	onKill?: (done: number, all: number, wrong: Wrong | null) => void;
};

/** Runs the whole scenario, and then once for each kill. @throws when a run without a kill leaves something wrong. */
export const killEverywhere = async (
	scenario: Scenario,
	{at = 'all', onKill}: KillPointOptions = {},
): Promise<KillPointFindings> =>
	onTemplate(scenario, async (place, template) => {
		const whole = await once(scenario, place, template, null);
		if (whole.what !== null) {
			throw new Error(`${scenario.name}, without a kill: ${whole.what}`);
		}

		const kills = killsOf(at === 'all' ? whole.operations : edgesOf(whole.operations));
		const findings: KillPointFindings = {scenario: scenario.name, operations: whole.operations.length, kills: 0, missed: 0, wrong: []};
		const waiting = kills.entries();
		const work = async (): Promise<void> => {
			for (const [, kill] of waiting) {
				const {operations, what} = await once(scenario, place, template, kill);
				const last = operations.at(-1);
				const wasKilled = last?.outcome === 'killed';
				findings.kills += Number(wasKilled);
				findings.missed += Number(!wasKilled);
				const wrong = what === null ? null : {kill, operation: `${last?.operation} ${path.basename(last?.file ?? '')}`, what};
				if (wrong) {
					findings.wrong.push(wrong);
				}

				onKill?.(findings.kills + findings.missed, kills.length, wrong);
			}
		};

		await Promise.all([work(), work()]);
		findings.wrong.sort((a, b) => a.kill.at - b.kill.at);
		return findings;
	});

/** Runs the scenario once, and examines what a kill at each operation leaves. @param every Only every nth operation. */
export const cutEverywhere = async (
	scenario: Scenario,
	{every = 1, onKill}: Pick<KillPointOptions, 'onKill'> & {every?: number} = {},
): Promise<KillPointFindings> =>
	onTemplate(scenario, async (place, template) => {
		const seen = path.join(place, 'seen');
		const left = path.join(place, 'left');
		const copy = path.join(place, 'copy');
		const record = path.join(place, 'record');
		await cp(template, seen, {recursive: true});
		await cp(template, left, {recursive: true});
		await scenario.run(seen, environmentOf({under: seen, record}));
		const operations = await readRecord(record, await realpath(seen));
		const findings: KillPointFindings = {scenario: scenario.name, operations: operations.length, kills: 0, missed: 0, wrong: []};
		for (const [i, each] of operations.entries()) {
			const {operation, file, data} = each;
			const isCut = operation === 'write' && data.length > 1;
			const ways = isCut ? ['before', 'half'] as const : ['before'] as const;
			for (const how of i % every === 0 ? ways : []) {
				// Hundreds of copies of a few small files: each would take ten times as long with promises.
				cpSync(left, copy, {recursive: true});
				if (how === 'half') {
					redo(copy, {...each, data: data.subarray(0, data.length / 2)});
				}

				const what = await scenario.examine(copy);
				rmSync(copy, {recursive: true});
				findings.kills++;
				const wrong = what === null ? null : {kill: {at: i + 1, how}, operation: `${operation} ${path.basename(file)}`, what};
				if (wrong) {
					findings.wrong.push(wrong);
				}

				onKill?.(i, operations.length, wrong);
			}

			redo(left, each);
		}

		if (!isDeepStrictEqual(await contentsOf(left), await contentsOf(seen))) {
			throw new Error(`${scenario.name}: the recorded operations do not produce the files of the process.`);
		}

		return findings;
	});

/** Leaves out the index of a write-ahead log, a memory map that is rebuilt from the log. */
const contentsOf = async (folder: string): Promise<Array<[string, string]>> => {
	const files = (await readdir(folder, {recursive: true, withFileTypes: true}))
		.filter(entry => entry.isFile() && !entry.name.endsWith('-shm'))
		.map(({parentPath, name}) => path.join(parentPath, name))
		.toSorted();
	return Promise.all(files.map(async (file): Promise<[string, string]> => [path.relative(folder, file), await readFile(file, 'base64')]));
};

const onTemplate = async <Result>(scenario: Scenario, act: (place: string, template: string) => Promise<Result>): Promise<Result> => {
	const place = await mkdtemp(path.join(tmpdir(), 'kill-points-'));
	try {
		const template = path.join(place, 'template');
		await mkdir(template);
		await scenario.prepare(template);
		return await act(place, template);
	} finally {
		await rm(place, {recursive: true, force: true});
	}
};

const edgesOf = (operations: readonly LoggedOperation[]): LoggedOperation[] => {
	const isLike = (a: LoggedOperation, b: LoggedOperation | undefined): boolean => a.operation === b?.operation && a.file === b.file;
	return operations.filter((each, i) => !isLike(each, operations[i - 1]) || !isLike(each, operations[i + 1]));
};

const killsOf = (operations: readonly LoggedOperation[]): Kill[] =>
	operations.flatMap(({number: at, operation, size}): Kill[] => [
		{at, how: 'before'},
		...(operation === 'write' && size > 1 ? [{at, how: 'half'} as const] : []),
	]);

const once = async (
	scenario: Scenario,
	place: string,
	template: string,
	kill: Kill | null,
): Promise<{operations: LoggedOperation[]; what: string | null}> => {
	const own = await mkdtemp(path.join(place, 'run-'));
	const folder = path.join(own, 'folder');
	const log = path.join(own, 'log');
	await cp(template, folder, {recursive: true});
	await scenario.run(folder, environmentOf({under: folder, log, ...(kill && {kill})}));
	const operations = (await readdir(own)).includes('log') ? await readOperations(log) : [];
	const what = await scenario.examine(folder);
	await rm(own, {recursive: true, force: true});
	return {operations, what};
};
