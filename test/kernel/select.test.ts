/** Which kernel is selected if WebAssembly or its SIMD is missing. Each case has a separate process. */
import {execFile} from 'node:child_process';
import {readFile} from 'node:fs/promises';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import {promisify} from 'node:util';
import test from 'ava';
import {selectKernel} from '../../src/kernel/select.ts';

const folder = path.dirname(fileURLToPath(import.meta.url));

/** Runs one golden cycle in a separate process that lacks a feature; returns the name of its kernel. */
const inProcess = async (lack: string, wanted = 'auto') => {
	const {stdout} = await promisify(execFile)(process.execPath, [path.join(folder, 'one-cycle.ts'), wanted, lack]);
	return JSON.parse(stdout) as {kernel: string; right: boolean; message?: string};
};

const chooses = test.macro({
	async exec(t, lack: string, wanted: string, kernel: string) {
		t.deepEqual(await inProcess(lack, wanted), {kernel, right: true});
	},
	title: title => title ?? '',
});

test('WebAssembly is selected if it has SIMD', chooses, 'nothing', 'auto', 'wasm');
test('TypeScript is selected without SIMD', chooses, 'simd', 'auto', 'js');
test('TypeScript is selected without WebAssembly', chooses, 'webassembly', 'auto', 'js');
test('TypeScript can be requested', chooses, 'nothing', 'js', 'js');
test('TypeScript can be requested without WebAssembly', chooses, 'webassembly', 'js', 'js');

for (const lack of ['simd', 'webassembly']) {
	test(`a request for WebAssembly without ${lack} is refused, and the error says what to choose`, async t => {
		const {message} = await inProcess(lack, 'wasm');
		t.regex(message ?? '', /The kernel wasm needs WebAssembly with SIMD.*Choose js/);
	});
}

test('a module that the runtime compiled gives the same results as the embedded one', async t => {
	const module = new WebAssembly.Module(await readFile(new URL(import.meta.resolve('processual-state/kernel.wasm'))));
	const [given, embedded] = [selectKernel(module), selectKernel('wasm')];
	t.is(given.name, 'wasm');
	const [east, north] = [
		0, 1,
	].map(place => new Float32Array(1024).map((_, each) => Math.sin(each * (place + 2)) / 32)) as [Float32Array, Float32Array];
	t.deepEqual(given.nearest(east, [north, east], 2), embedded.nearest(east, [north, east], 2));
});

test('each call returns a separate kernel', t => {
	t.not(selectKernel('wasm'), selectKernel('wasm'));
});

test('an unknown kernel is refused, and the error lists the known ones', t => {
	t.throws(() => selectKernel('rust' as 'js'), {code: 'configuration', message: /no kernel “rust”. Choose wasm, js/});
});
