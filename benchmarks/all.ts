/**
 * Every benchmark in one run of ten minutes or a little more: `npm run bench`. Prints the tables and writes
 * them as Markdown, with a chart, to `benchmarks/results/`.
 *
 * `--short` is for checking that everything runs: its figures mean nothing. `--folder` is another
 * folder for the results.
 *
 * Each benchmark is a separate program that prints Markdown, so that none inherits the memory and
 * the compiled code of another. Its header says what it does not measure, and the report quotes
 * that.
 */
import assert from 'node:assert/strict';
import {spawnSync} from 'node:child_process';
import {mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import {parseArgs} from 'node:util';
import {machine, svg, tablesIn, type Chart, type Group, type Table} from './report.ts';

const {values: {short, folder}} = parseArgs({options: {
	short: {type: 'boolean', default: false},
	folder: {type: 'string', default: fileURLToPath(new URL('results', import.meta.url))},
}});

type Section = {
	title: string;
	script: string;
	/** The arguments of a usual run and of a short one. */
	args?: [usual: string[], short: string[]];
	/** The charts of its tables, which come in their order. */
	charts?: (tables: Table[]) => Chart[];
};

/** A cell's number, with times in microseconds; null if there is none. */
const valueOf = (cell: string): number | null => {
	const [, digits, unit = ''] = /^([\d,.]+)(?: (ns|µs|ms))?(?: \(|$)/u.exec(cell) ?? [];
	return digits === undefined ? null : Number(digits.replaceAll(',', '')) * ({ns: 1e-3, ms: 1e3}[unit] ?? 1);
};

const group = (label: string, cells: Array<[label: string, cell: string]>): Group => ({
	label,
	bars: cells.flatMap(([of, cell]) => {
		const value = valueOf(cell);
		return value ? [{label: of, value}] : [];
	}),
});

/** A group for each row, a bar in it for each column whose head ends in the unit. */
const byRow = ([head, ...rows]: Table, unit: string): Group[] => {
	const charted = [...head!.entries()].filter(([, title]) => title.endsWith(` ${unit}`));
	return rows.map(row => group(row[0]!, charted.map(([i, title]) => [title.slice(0, -unit.length - 1), row[i]!])));
};

/** Says in the labels what their numbers count. */
const named = (what: string, groups: Group[]): Group[] => groups.map(({label, bars}) => ({label: `${label} ${what}`, bars}));

/** A group for each column of times, a bar in it for each row. */
const byColumn = ([head, ...rows]: Table): Group[] => head!.flatMap((title, i) =>
	rows.some(row => /\d (ns|µs|ms)$/u.test(row[i]!)) ? [group(title, rows.map(row => [row[0]!.replaceAll('`', ''), row[i]!]))] : []);

const sections: Section[] = [
	{
		title: 'Kernels',
		script: 'kernel.ts',
		args: [['15'], ['1']],
		charts: ([times]) => [{title: 'Kernels: time of a task, less is better', unit: 'µs', isOurs: label => /^(WASM|TypeScript)/u.test(label), groups: byColumn(times!)}],
	},
	{title: 'Accuracy', script: 'accuracy.ts'},
	{
		title: 'Pipeline',
		script: 'pipeline.ts',
		args: [['61'], ['3']],
		charts: ([times]) => [{title: 'Pipeline: time of a cycle, less is better', unit: 'µs', isOurs: () => true, groups: byRow(times!.map(row => row.slice(0, 2)), 'µs')}],
	},
	{
		title: 'Service',
		script: 'service.ts',
		args: [['1'], ['0.2']],
		charts: ([rates]) => [{title: 'Service: requests per second, more is better', unit: '/s', isOurs: label => label === 'ours', groups: byRow(rates!, '/s')}],
	},
	{title: 'Embedding', script: 'embedding.ts', args: [['15'], ['1']]},
	{title: 'Journal', script: 'journal.ts'},
	{
		title: 'Growth',
		script: 'growth.ts',
		args: [['1000000'], ['20000']],
		charts: ([cycles, profiles]) => [
			{title: 'Growth: a cycle over the records in the journal, less is better', unit: 'µs', isOurs: () => true, groups: named('records', byRow(cycles!, 'µs'))},
			{title: 'Growth: the profile over the number of directions, less is better', unit: 'µs', isOurs: () => true, groups: named('directions', byRow(profiles!, 'µs'))},
		],
	},
	{title: 'Inspection', script: 'inspection.ts', args: [['0.25'], ['0.02']]},
];

/** What a program does not measure, from its header: the rest of that paragraph. */
const notMeasured = (script: string): string => {
	const [, paragraph] = /^ \* Not measured: ([^]*?)\n \*(?:\n|\/)/mu.exec(readFileSync(script, 'utf8')) ?? [];
	assert.ok(paragraph, `The header of ${path.basename(script)} does not say what is not measured.`);
	return paragraph.replaceAll(/\s+\*?\s*/gu, ' ');
};

const seconds = (since: number): number => Math.round((performance.now() - since) / 1000);

const began = performance.now();
const charts: Chart[] = [];
const parts = [`# Benchmarks

One run of \`npm run bench\` on ${new Date().toISOString().slice(0, 10)}: ${machine()}.${short ? ' A SHORT RUN, WHOSE FIGURES MEAN NOTHING.' : ''}
Within a table, contestants took turns, so ratios say more than the figures, which depend on the machine.

![The figures as bars, on logarithmic axes](results.svg)`];

const report = (part: string): void => {
	parts.push(part);
	console.log(`\n${part}`);
};

for (const {title, script, args, charts: chartsOf} of sections) {
	const file = fileURLToPath(new URL(script, import.meta.url));
	const started = performance.now();
	const {status, stdout} = spawnSync(process.execPath, [file, ...args?.[short ? 1 : 0] ?? []], {
		encoding: 'utf8',
		stdio: ['ignore', 'pipe', 'inherit'],
		timeout: 600_000,
	});
	report(`## ${title}\n\n${stdout.trim()}\n\n${status === 0 ? '' : `**It failed${status === null ? ', because it took too long' : ''}.**\n\n`}Not measured: ${notMeasured(file)} (${seconds(started)} s)`);
	if (status === 0) {
		charts.push(...chartsOf?.(tablesIn(stdout)) ?? []);
	} else {
		process.exitCode = 1;
	}
}

report(`All in ${seconds(began)} s.`);
mkdirSync(folder, {recursive: true});
writeFileSync(path.join(folder, 'results.md'), `${parts.join('\n\n')}\n`);
writeFileSync(path.join(folder, 'results.svg'), svg(charts));
