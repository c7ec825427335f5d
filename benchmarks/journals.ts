/**
 * What many journals in one program cost: a thread for each (`createSqliteJournal`) compared with one
 * thread for all (`openJournals`). Each row is a program that opens existing journals and appends a
 * record to each: milliseconds of `open`, and the CPU time, resident memory and open files that each
 * journal beyond the first takes. `npm run bench:journals` measures the built package, as applications
 * use it.
 *
 * Not measured: the identities; `examples/embedding/tenants.ts` shows them.
 */
import {execFile} from 'node:child_process';
import {readdirSync} from 'node:fs';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import {promisify} from 'node:util';
import {StateTensor} from 'processual-state';
import {createSqliteJournal, openJournals, type Journal, type JournalRecord} from 'processual-state/journal';
import {figure, markdown, median, passingFolder} from './report.ts';

const kinds = ['a thread per journal', 'one thread'] as const;
type Kind = (typeof kinds)[number];
type Cost = {first: number; others: number; cpu: number; kib: number; files: number};

const nameOf = (number: number): string => `tenant-${number}`;
const record = (): JournalRecord => ({kind: 'daemon.started', id: 'one more', timestamp: new Date().toISOString()});

const randomRow = (): Float32Array => Float32Array.from({length: 1024}, Math.random);

/** Makes journals with one record in each. */
const prepare = async (folder: string, count: number): Promise<void> => {
	const tensor = new StateTensor(0, new Date().toISOString(), Array.from({length: 8}, randomRow));
	const journals = openJournals({folder});
	for (let number = 1; number <= count; number++) {
		const journal = journals.for(nameOf(number));
		await journal.open();
		await journal.begin({initial: tensor, reference: tensor, passport: {model: 'none', width: 1024, pooling: 'none', prefix: '', dtype: 'fp32'}, isRandom: true});
		await journal.append(record());
		await journal.close();
	}

	await journals.close();
};

const openFiles = (): number => process.platform === 'linux' ? readdirSync('/proc/self/fd').length : Number.NaN;

const measure = async (folder: string, kind: Kind, count: number): Promise<Cost> => {
	const journals = openJournals({folder});
	const times: number[] = [];
	const opened: Journal[] = [];
	const open = async (number: number): Promise<void> => {
		const name = nameOf(number);
		const journal = kind === 'one thread' ? journals.for(name) : createSqliteJournal({folder: path.join(folder, name)});
		const began = performance.now();
		await journal.open();
		times.push(performance.now() - began);
		await journal.append(record());
		opened.push(journal);
	};

	await open(1);
	const cpu = process.cpuUsage();
	const before = {bytes: process.memoryUsage.rss(), files: openFiles()};
	for (let number = 2; number <= count; number++) {
		await open(number);
	}

	const {user, system} = process.cpuUsage(cpu);
	const cost = {
		cpu: (user + system) / 1000 / (count - 1),
		first: times[0]!,
		others: median(times.slice(1)),
		kib: (process.memoryUsage.rss() - before.bytes) / 1024 / (count - 1),
		files: (openFiles() - before.files) / (count - 1),
	};
	await Promise.all(opened.map(async journal => journal.close()));
	await journals.close();
	return cost;
};

const [shared, kind, count] = process.argv.slice(2);
if (shared) {
	console.log(JSON.stringify(await measure(shared, kind as Kind, Number(count))));
} else {
	const folder = passingFolder('journals');
	await prepare(folder, 100);
	const inProgram = async (...parameters: string[]): Promise<Cost> => {
		const {stdout} = await promisify(execFile)(process.execPath, [fileURLToPath(import.meta.url), folder, ...parameters]);
		return JSON.parse(stdout) as Cost;
	};

	const rows: string[][] = [];
	for (const journals of [1, 10, 100]) {
		const [each, one] = [await inProgram(kinds[0], String(journals)), await inProgram(kinds[1], String(journals))];
		for (const [name, cost] of [[kinds[0], each], [kinds[1], one]] as const) {
			rows.push([String(journals), name, figure(cost.first), ...(journals === 1 ? ['', '', '', ''] : [
				`${figure(cost.others)} (${figure(each.others / cost.others)})`,
				`${figure(cost.cpu)} (${figure(each.cpu / cost.cpu)})`,
				`${figure(cost.kib)} (${figure(each.kib / cost.kib)})`,
				figure(cost.files),
			])]);
		}
	}

	console.log(markdown([['journals', 'kind', 'ms to open the first', 'ms to open each other (× less)', 'ms of CPU to open each other and append (× less)', 'KiB of memory for each other (× less)', 'open files for each other'], ...rows]));
}
