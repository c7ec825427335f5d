/**
 * Compiles the kernels of the state tensor, and those of the encoder with plain and with relaxed SIMD, into modules, so that neither
 * Node nor a browser has to find a file at run time. Workers may not compile bytes, so the state tensor's kernel is also a file.
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

/** Writes a module that exports each kernel as a constant. @param targets The compilation target of each constant. */
const embed = async (entry: string, file: string, targets: Record<string, string>): Promise<Buffer[]> => {
	const compiled = await Promise.all(Object.values(targets).map(async target => compile(entry, target)));
	const constants = Object.keys(targets).map((name, place) => `export const ${name}: string = '${compiled[place]!.toString('base64')}';\n`);
	await writeFile(file, `/** Generated from \`${entry}\` by \`npm run build:kernel\`: compiled kernels, in base64. */\n${constants.join('\n')}`);
	return compiled;
};

const [kernel] = await embed('assembly/index.ts', 'src/kernel/wasm/binary.ts', {wasmBinary: 'release'});
await embed('assembly/encoder/index.ts', 'src/embedding/use-lite/binary.ts', {wasmBinary: 'encoder', relaxedWasmBinary: 'encoder-relaxed'});

await mkdir('wasm', {recursive: true});
await writeFile('wasm/kernel.wasm', kernel!);
