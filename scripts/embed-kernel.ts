/** Writes the compiled kernels into a module, so that no file has to be found at run time, in Node or in a browser. */
import {readFile, writeFile} from 'node:fs/promises';

const bytes = await readFile(new URL('../build/kernel.wasm', import.meta.url));

await writeFile(new URL('../src/kernel/wasm-binary.ts', import.meta.url), `/** Generated from \`assembly/\` by \`npm run build:kernel\`: the compiled kernels, in base64. */
export const wasmBinary = '${bytes.toString('base64')}';
`);
