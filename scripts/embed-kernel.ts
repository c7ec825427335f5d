/**
 * Compiles the kernels of the state tensor and of the encoder, each once with plain and once with
 * relaxed SIMD, and writes them into modules, so that no file has to be found at run time, in Node or in a browser.
 * Workers may not compile bytes: for them the state tensor's kernel is a file too.
 */
import {mkdir, writeFile} from 'node:fs/promises';
import asc from 'assemblyscript/asc';

const compile = async (entry: string, target: string): Promise<Buffer> => {
	let wasm = Buffer.alloc(0);
	const {error, stderr} = await asc.main([entry, '--target', target, '--outFile', 'kernel.wasm'], {
		writeFile(_, contents) {
			wasm = Buffer.from(contents);
		},
	});
	if (error) {
		throw new Error(`${entry} does not compile for the target ${target}: ${stderr.toString() || error.message}`);
	}

	return wasm;
};

const embed = async (entry: string, plain: string, relaxed: string, file: string): Promise<Buffer> => {
	const wasm = await compile(entry, plain);
	await writeFile(file, `/** Generated from \`${entry}\` by \`npm run build:kernel\`: the compiled kernels, in base64. */
export const wasmBinary = '${wasm.toString('base64')}';

/** The same with relaxed SIMD. */
export const relaxedWasmBinary = '${(await compile(entry, relaxed)).toString('base64')}';
`);
	return wasm;
};

const kernel = await embed('assembly/index.ts', 'release', 'relaxed', 'src/kernel/wasm/binary.ts');
await embed('assembly/encoder/index.ts', 'encoder', 'encoder-relaxed', 'src/embedding/use-lite/binary.ts');

await mkdir('wasm', {recursive: true});
await writeFile('wasm/kernel.wasm', kernel);
