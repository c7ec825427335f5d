/**
 * Compiles the kernels, once with plain and once with relaxed SIMD, and writes them into a
 * module, so that no file has to be found at run time, in Node or in a browser.
 */
import {writeFile} from 'node:fs/promises';
import asc from 'assemblyscript/asc';

const compile = async (target: 'release' | 'relaxed'): Promise<string> => {
	let wasm = new Uint8Array();
	const {error, stderr} = await asc.main(['assembly/index.ts', '--target', target], {
		writeFile(_, contents) {
			wasm = Buffer.from(contents);
		},
	});
	if (error) {
		throw new Error(`The kernels do not compile for the target ${target}: ${stderr.toString() || error.message}`);
	}

	return Buffer.from(wasm).toString('base64');
};

await writeFile('src/kernel/wasm/binary.ts', `/** Generated from \`assembly/\` by \`npm run build:kernel\`: the compiled kernels, in base64. */
export const wasmBinary = '${await compile('release')}';

/** The same with relaxed SIMD. */
export const relaxedWasmBinary = '${await compile('relaxed')}';
`);
