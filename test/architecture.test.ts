/**
 * `docs/architecture.md` is where the rooms of `src` and their imports are declared. It is right to
 * the arrow: what it declares is imported, and what is imported it declares.
 */
import {readFile} from 'node:fs/promises';
import test from 'ava';
import {arrowsOf, doubledNames, exportedValues, longLines, readSources, readTests, roomOf, specifiersIn} from '../scripts/house.ts';
import {describeMachines} from '../src/http/pages/inspector-page.ts';

const document = await readFile(new URL('../docs/architecture.md', import.meta.url), 'utf8');

const sources = await readSources();

/** The words in backticks. */
const words = (cell: string): string[] => Array.from(cell.matchAll(/`([^`]+)`/g), ([, word]) => word!);

const sectionOf = (heading: string): string => document.split(`## ${heading}\n`)[1]!.split('\n## ')[0]!;

/** The cells of a section's table, row by row. */
const tableIn = (heading: string): string[][] =>
	Array.from(sectionOf(heading).matchAll(/^\| (`.*) \|$/gm), ([, row]) => row!.split(' | '));

const rooms = tableIn('Rooms').map(cells => ({room: words(cells[0]!)[0]!, imports: words(cells.at(-1)!)}));
const declared = rooms.flatMap(({room, imports}) => imports.map(to => `${room} -> ${to}`));

test('every form of import is seen', t => {
	t.deepEqual(specifiersIn([
		'import a, {',
		'\tb,',
		'} from \'../b/b.ts\';',
		'import type {C} from \'../c/c.ts\';',
		'import \'../d/d.ts\';',
		'export * from \'./e.ts\';',
		'export const text = "from";',
		'const f = await import(\'../f/f.ts\');',
		'type G = import(\'../g/g.ts\').G;',
		'import h from \'node:path\';',
		' * import {i} from \'../i/i.ts\';',
	].join('\n')), ['../b/b.ts', '../c/c.ts', '../d/d.ts', './e.ts', '../f/f.ts', '../g/g.ts']);
});

test('the rooms are those of the table', t => {
	t.deepEqual(rooms.map(({room}) => room).toSorted(), [...new Set(sources.map(({file}) => roomOf(file)))].toSorted());
});

test('there are 17 rooms beside the two entries, and at most 95 arrows between them', t => {
	t.is(rooms.length, 19);
	t.true(arrowsOf(sources).size <= 95, `${arrowsOf(sources).size} arrows`);
});

test('an application finds at most 45 values to import', async t => {
	const values = await exportedValues();
	t.true(values.length <= 45, `${values.length} values: ${values.join(', ')}`);
});

test('an exported name has one meaning in the whole tree', t => {
	t.deepEqual(doubledNames(sources), []);
});

test('a function has at most 80 lines, a file at most 300, and at most 30 files have fewer than 26', t => {
	const functions = sources.flatMap(({file, functions: all}) => all.map(({name, lines}) => ({name: `${name} in src/${file}`, lines})));
	t.deepEqual(functions.filter(({lines}) => lines > 80).map(({name}) => name), []);
	t.deepEqual(sources.filter(({lines}) => lines.length > 300).map(({file}) => file), []);
	const small = sources.filter(({lines}) => lines.length < 26).map(({file}) => file);
	t.true(small.length <= 30, `${small.length} files: ${small.join(', ')}`);
});

test('a line has at most 140 characters, and a test file at most 400 lines', async t => {
	const tests = await readTests();
	t.deepEqual(longLines([...sources, ...tests]), []);
	t.deepEqual(tests.filter(({lines}) => lines.length > 400).map(({file}) => file), []);
});

test('each room imports what the table declares, and nothing else', t => {
	const arrows = arrowsOf(sources);
	t.deepEqual(
		[...arrows].filter(([arrow]) => !declared.includes(arrow)).map(([arrow, [file]]) => `${arrow}, in src/${file}`),
		[],
		'Remove these imports, or declare them in docs/architecture.md.',
	);
	t.deepEqual(declared.filter(arrow => !arrows.has(arrow)), [], 'No file needs these any more: remove them from docs/architecture.md.');
});

test('a room imports only rooms that stand below it', t => {
	const place = (name: string): number => rooms.findIndex(({room}) => room === name);
	t.deepEqual(rooms.flatMap(({room, imports}) => imports.filter(to => place(to) <= place(room)).map(to => `${room} -> ${to}`)), []);
});

test('the picture has each arrow that no longer way implies', t => {
	const importsOf = (name: string): string[] => rooms.find(({room}) => room === name)!.imports;
	const isReached = (from: string, to: string): boolean => importsOf(from).some(next => next === to || isReached(next, to));
	const needed = rooms.flatMap(({
		room,
		imports,
	}) => imports.filter(to => !imports.some(via => isReached(via, to))).map(to => `${room} -> ${to}`));
	const drawn = Array.from(
		sectionOf('Rooms').matchAll(/^\t([\w.-]+) --> (.+)$/gm),
		([, from, to]) => to!.split(' & ').map(each => `${from} -> ${each}`),
	);
	t.deepEqual(drawn.flat().toSorted(), needed.toSorted());
});

type StateNode = {id?: string; states?: Record<string, StateNode>};

/** Every state within, by its path. */
const statesOf = ({states = {}}: StateNode): string[] =>
	Object.entries(states).flatMap(([name, node]) => [name, ...statesOf(node).map(inner => `${name}.${inner}`)]);

test('each machine has the states that its row names', t => {
	const rows = new Map(tableIn('Machines').map(([machine, , states]) => [words(machine!)[0]!, words(states!)]));
	for (const definition of describeMachines() as StateNode[]) {
		t.deepEqual(rows.get(definition.id!)?.toSorted(), statesOf(definition).toSorted(), definition.id);
	}
});
