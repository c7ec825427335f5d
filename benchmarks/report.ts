/** Shared by the benchmarks: a temporary folder, and the parts of reports: medians, Markdown tables, facts on the machine, a bar chart. */
import {mkdtempSync, rmSync} from 'node:fs';
import {cpus, release, tmpdir, totalmem, type} from 'node:os';
import path from 'node:path';

/** A temporary folder, removed when this process exits or is ended by SIGINT or SIGTERM. */
export const passingFolder = (name: string): string => {
	const folder = mkdtempSync(path.join(tmpdir(), `${name}-`));
	process.once('exit', () => {
		rmSync(folder, {recursive: true});
	});
	for (const signal of ['SIGINT', 'SIGTERM'] as const) {
		process.once(signal, () => {
			process.exit(1);
		});
	}

	return folder;
};

export const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1]!;

/** A number with three significant digits, or with all its digits before the point. */
export const figure = (value: number): string => value >= 100
	? Math.round(value).toLocaleString('en')
	: value.toPrecision(3);

/** A ratio with its goal, the least that it should be. */
export const atLeast = (ratio: number, goal: number): string => `${figure(ratio)} (goal ${goal}: ${ratio >= goal ? 'met' : 'missed'})`;

/** The first row is the head. */
export type Table = readonly string[][];

export const markdown = ([head, ...rows]: Table): string => [head!, head!.map((_, i) => i === 0 ? '---' : '---:'), ...rows]
	.map(cells => `| ${cells.join(' | ')} |`)
	.join('\n');

/** Every table in a text. */
export const tablesIn = (text: string): Table[] => text
	.split(/^(?!\|).*$/mu)
	.map(block => block.trim().split('\n').map(line => line.split('|').slice(1, -1).map(cell => cell.trim())))
	.filter(lines => lines.length > 2)
	.map(lines => lines.toSpliced(1, 1));

/** The facts that figures depend on, without any that would identify the machine. */
export const machine = (): string => {
	const cores = cpus();
	return `${cores.length} × ${cores[0]!.model}, ${Math.round(totalmem() / 2 ** 30)} GiB, ${type()} ${release().split('-')[0]}, Node ${process.versions.node}`;
};

/** Bars that are compared with each other: a row of a table. */
export type Group = {label: string; bars: ReadonlyArray<{label: string; value: number}>};

/** A chart of groups on one logarithmic axis. Our bars are highlighted. */
export type Chart = {title: string; unit: string; isOurs: (label: string) => boolean; groups: readonly Group[]};

const layout = {width: 900, labels: 260, right: 70, head: 34, group: 20, bar: 15, gap: 10, foot: 34};

/** One chart below another, as an SVG document that follows the reader's light or dark scheme. */
export const svg = (charts: readonly Chart[]): string => {
	const parts: string[] = [];
	let top = 0;
	for (const chart of charts) {
		parts.push(`<g transform="translate(0 ${top})">\n${draw(chart)}\n</g>`);
		top += heightOf(chart);
	}

	return `<svg xmlns="http://www.w3.org/2000/svg" width="${layout.width}" height="${top}" viewBox="0 0 ${layout.width} ${top}" font-family="system-ui, sans-serif" font-size="11">
<style>
text { fill: #1f2328 } .title { font-size: 14px; font-weight: 600 } .group { font-weight: 600 }
line { stroke: #8886 } rect { fill: #8b949e } .ours { fill: #2f81f7 }
@media (prefers-color-scheme: dark) { text { fill: #e6edf3 } }
</style>
${parts.join('\n')}
</svg>
`;
};

const heightOf = ({groups}: Chart): number =>
	layout.head + groups.reduce((sum, {bars}) => sum + layout.group + bars.length * layout.bar + layout.gap, 0) + layout.foot;

const draw = (chart: Chart): string => {
	const {title, unit, isOurs, groups} = chart;
	const values = groups.flatMap(({bars}) => bars.map(({value}) => value));
	// A little below the smallest value, so that its bar is visible.
	const lowest = Math.floor(Math.log10(Math.min(...values)) - 0.05);
	const highest = Math.ceil(Math.log10(Math.max(...values)));
	const place = (value: number): number =>
		layout.labels + (Math.log10(value) - lowest) / (highest - lowest) * (layout.width - layout.labels - layout.right);

	const parts = [`<text class="title" x="8" y="20">${escape(title)}</text>`];
	const bottom = heightOf(chart) - layout.foot;
	for (let decade = lowest; decade <= highest; decade++) {
		const x = place(10 ** decade).toFixed(1);
		const label = (10 ** decade).toLocaleString('en', {maximumFractionDigits: 9});
		parts.push(`<line x1="${x}" x2="${x}" y1="${layout.head}" y2="${bottom}"/><text x="${x}" y="${bottom + 14}" text-anchor="middle">${label} ${escape(unit)}</text>`);
	}

	let y = layout.head;
	for (const {label, bars} of groups) {
		parts.push(`<text class="group" x="8" y="${y + 14}">${escape(label)}</text>`);
		y += layout.group;
		for (const bar of bars) {
			const end = place(bar.value);
			parts.push(
				`<text x="${layout.labels - 8}" y="${y + 10}" text-anchor="end">${escape(bar.label)}</text>`
				+ `<rect${isOurs(bar.label) ? ' class="ours"' : ''} x="${layout.labels}" y="${y}" width="${(end - layout.labels).toFixed(1)}" height="${layout.bar - 3}"/>`
				+ `<text x="${(end + 5).toFixed(1)}" y="${y + 10}">${figure(bar.value)}</text>`,
			);
			y += layout.bar;
		}

		y += layout.gap;
	}

	return parts.join('\n');
};

const escape = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
