/**
 * What a change costs its reader, in figures: `npm run house` prints them, and
 * `test/architecture.test.ts` holds the bounds. Generated sources are not counted.
 */
import {readdir, readFile} from 'node:fs/promises';
import path from 'node:path';
import {fileURLToPath, pathToFileURL} from 'node:url';
import {parseSync, Visitor, type Comment} from 'oxc-parser';

const root = fileURLToPath(new URL('..', import.meta.url));
const source = path.join(root, 'src');
const tests = path.join(root, 'test');

export type SourceFile = {
	/** Relative to `src`, with slashes. */
	file: string;
	lines: readonly string[];
	/** How many lines are neither blank nor only a comment. */
	codeLines: number;
	/** The specifiers of relative imports, exports and `import()`, of types too. */
	specifiers: readonly string[];
	/** The names that it declares and exports. */
	declares: readonly string[];
	functions: ReadonlyArray<{name: string; lines: number; at: number}>;
};

/** The specifiers of relative imports, exports and `import()`, of types too. */
export const specifiersIn = (code: string): string[] =>
	Array.from(code.matchAll(/(?:^(?:import|export)\b[^'"]*?\bfrom |^import |\bimport\()'(\.[^']+)'/gm), ([, specifier]) => specifier!);

const isGenerated = (file: string): boolean => file.startsWith('generated/') || file.endsWith('/binary.ts');

/** Every source file written by hand. */
export const readSources = async (): Promise<SourceFile[]> => {
	const entries = await readdir(source, {recursive: true});
	const files = entries.map(entry => entry.replaceAll(path.sep, '/')).filter(file => file.endsWith('.ts') && !isGenerated(file));
	return Promise.all(files.toSorted().map(async file => measure(file, await readFile(path.join(source, file), 'utf8'))));
};

/** The lines of every test file and test helper. */
export const readTests = async (): Promise<Array<Pick<SourceFile, 'file' | 'lines'>>> => {
	const entries = await readdir(tests, {recursive: true});
	return Promise.all(entries.filter(entry => entry.endsWith('.ts')).map(async entry =>
		({file: `test/${entry.replaceAll(path.sep, '/')}`, lines: (await readFile(path.join(tests, entry), 'utf8')).trimEnd().split('\n')})));
};

/** The lines that are longer than a reader's window; a tab counts as two columns. */
export const longLines = (files: ReadonlyArray<Pick<SourceFile, 'file' | 'lines'>>): string[] =>
	files.flatMap(({file, lines}) => lines.flatMap((line, i) => line.replaceAll('\t', '  ').length > 140 ? [`${file}:${i + 1}`] : []));

/** How many lines of the code are neither blank nor only a comment. */
const countCode = (code: string, comments: readonly Comment[]): number => {
	const blanked = [...comments].reduceRight((text, {start, end}) =>
		text.slice(0, start) + text.slice(start, end).replaceAll(/[^\n]/g, ' ') + text.slice(end), code);
	return blanked.split('\n').filter(line => line.trim() !== '').length;
};

type Declared = {id?: {name?: string} | null; declarations?: ReadonlyArray<{id: {name?: string}}>};

const measure = (file: string, code: string): SourceFile => {
	const {program, comments} = parseSync(file, code);
	const lineAt = (offset: number): number => code.slice(0, offset).split('\n').length;
	const functions: Array<{name: string; lines: number; at: number}> = [];
	const declares: string[] = [];
	const names: string[] = [];
	const enter = ({start, end, id}: {start: number; end: number; id?: {name?: string} | null}): void => {
		functions.push({name: id?.name ?? names.at(-1) ?? '(anonymous)', lines: lineAt(end) - lineAt(start) + 1, at: lineAt(start)});
	};

	new Visitor({
		VariableDeclarator({id}) {
			names.push('name' in id ? id.name : '(pattern)');
		},
		'VariableDeclarator:exit'() {
			names.pop();
		},
		FunctionDeclaration: enter,
		FunctionExpression: enter,
		ArrowFunctionExpression: enter,
		ExportNamedDeclaration({declaration}) {
			const declared = declaration as Declared | null;
			declares.push(...[declared?.id, ...declared?.declarations?.map(({id}) => id) ?? []].flatMap(id => id?.name ?? []));
		},
	}).visit(program);
	return {file, lines: code.trimEnd().split('\n'), codeLines: countCode(code, comments), specifiers: specifiersIn(code), declares, functions};
};

/** The folder of a source. The two entries are rooms by themselves. */
export const roomOf = (file: string): string => file.split('/')[0]!;

/** Each arrow between rooms, `room -> room`, with the files that it comes from. */
export const arrowsOf = (sources: readonly SourceFile[]): Map<string, string[]> => {
	const arrows = new Map<string, string[]>();
	for (const {file, specifiers} of sources) {
		for (const specifier of specifiers) {
			const [from, to] = [roomOf(file), roomOf(path.posix.join(path.posix.dirname(file), specifier))];
			// Neither data beside `src` nor generated sources are a room.
			if (from !== to && !['..', 'generated'].includes(to)) {
				arrows.set(`${from} -> ${to}`, [...arrows.get(`${from} -> ${to}`) ?? [], file]);
			}
		}
	}

	return arrows;
};

/** Exported names that two files declare. */
export const doubledNames = (sources: readonly SourceFile[]): string[] => {
	const files = Map.groupBy(sources.flatMap(({file, declares}) => [...new Set(declares)].map(name => ({name, file}))), ({name}) => name);
	return [...files].filter(([, places]) => places.length > 1).map(([name]) => name).toSorted();
};

/** The values that an application can import, by entry. */
export const exportedValues = async (): Promise<string[]> => {
	const {exports} = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8')) as {exports: Record<string, {default?: string} | string>};
	const values: string[] = [];
	for (const [entry, target] of Object.entries(exports)) {
		if (typeof target === 'object' && target.default?.endsWith('.js')) {
			const module = await import(pathToFileURL(path.join(root, target.default.replace('./dist/', 'src/').replace(/\.js$/, '.ts'))).href) as object;
			values.push(...Object.keys(module).map(name => `${entry}: ${name}`));
		}
	}

	return values;
};

/** The files that spell a word in their code or in their names. */
const filesNaming = (sources: readonly SourceFile[], word: RegExp): number =>
	sources.filter(({file, lines}) => word.test(file) || lines.some(line => word.test(line))).length;

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

/** Every figure, by its name. */
const measureHouse = async (): Promise<Record<string, number | string>> => {
	const [sources, tested] = await Promise.all([readSources(), readTests()]);
	const functions = sources.flatMap(({file, functions: all}) => all.map(each => ({...each, file})));
	const longest = functions.toSorted((one, other) => other.lines - one.lines)[0]!;
	return {
		files: sources.length,
		lines: sum(sources.map(({lines}) => lines.length)),
		'of which code': sum(sources.map(({codeLines}) => codeLines)),
		rooms: new Set(sources.map(({file}) => roomOf(file)).filter(room => !room.endsWith('.ts'))).size,
		'arrows between rooms': arrowsOf(sources).size,
		'files under 26 lines': sources.filter(({lines}) => lines.length < 26).length,
		'files over 300 lines': sources.filter(({lines}) => lines.length > 300).length,
		'lines over 140 characters': longLines(sources).length,
		'lines over 140 characters in tests': longLines(tested).length,
		'test files over 400 lines': tested.filter(({lines}) => lines.length > 400).length,
		'functions over 80 lines': functions.filter(({lines}) => lines > 80).length,
		'longest function': `${longest.lines} lines, ${longest.name} in src/${longest.file}`,
		'exported values': (await exportedValues()).length,
		'doubled names': doubledNames(sources).length,
		'files that know the question vigilance': filesNaming(sources, /vigilance/i),
		'files that know the question ledger': filesNaming(sources, /ledger/i),
		'files that know the question drift': filesNaming(sources, /drift/i),
	};
};

if (process.argv[1] === fileURLToPath(import.meta.url)) {
	for (const [name, figure] of Object.entries(await measureHouse())) {
		console.log(`${name.padEnd(42)} ${figure}`);
	}
}
