/**
 * Compiles the kernels of the state tensor and of the encoder, each once with plain and once with
 * relaxed SIMD, and writes them into modules, so that no file has to be found at run time, in Node or in a browser.
 */
import {writeFile} from 'node:fs/promises';
import asc from 'assemblyscript/asc';

const compile = async (entry: string, target: string): Promise<string> => {
	let wasm = new Uint8Array();
	const {error, stderr} = await asc.main([entry, '--target', target, '--outFile', 'kernel.wasm'], {
		writeFile(_, contents) {
			wasm = Buffer.from(contents);
		},
	});
	if (error) {
		throw new Error(`${entry} does not compile for the target ${target}: ${stderr.toString() || error.message}`);
	}

	return Buffer.from(wasm).toString('base64');
};

const embed = async (entry: string, plain: string, relaxed: string, file: string): Promise<void> =>
	writeFile(file, `/** Generated from \`${entry}\` by \`npm run build:kernel\`: the compiled kernels, in base64. */
export const wasmBinary = '${await compile(entry, plain)}';

/** The same with relaxed SIMD. */
export const relaxedWasmBinary = '${await compile(entry, relaxed)}';
`);

await embed('assembly/index.ts', 'release', 'relaxed', 'src/kernel/wasm/binary.ts');
await embed('assembly/encoder/index.ts', 'encoder', 'encoder-relaxed', 'src/embedding/use-lite/binary.ts');
