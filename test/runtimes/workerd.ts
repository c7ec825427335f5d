/** Runs a program in workerd, the runtime of Cloudflare's workers, with its compatibility flag for Node's modules. */
import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {mkdir, writeFile} from 'node:fs/promises';
import {builtinModules} from 'node:module';
import path from 'node:path';
import {createInterface} from 'node:readline';
import type {Readable} from 'node:stream';
import {build} from 'esbuild';
import {installWorkerd} from './install.ts';

const configuration = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
	services = [(name = "main", worker = .main)],
	sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);
const main :Workerd.Worker = (
	modules = [(name = "worker.js", esModule = embed "worker.js"), (name = "kernel.wasm", wasm = embed "kernel.wasm")],
	compatibilityDate = "2026-07-01",
	compatibilityFlags = ["nodejs_compat"],
	durableObjectNamespaces = [(className = "Keeper", uniqueKey = "keeper")],
	durableObjectStorage = (inMemory = void),
	bindings = [(name = "KEEPER", durableObjectNamespace = "Keeper")],
);
`;

/** Bundles as Wrangler does: with our files for pages, Node's modules left to the runtime, and WebAssembly compiled by it. */
const bundle = async (file: string, outdir: string): Promise<void> => {
	await build({
		entryPoints: {worker: file},
		outdir,
		bundle: true,
		format: 'esm',
		platform: 'browser',
		conditions: ['workerd', 'worker', 'browser'],
		loader: {'.wasm': 'copy'},
		assetNames: '[name]',
		plugins: [{
			name: 'node',
			setup({onResolve, onLoad}) {
				onResolve({filter: new RegExp(`^(?:node:)?(?:${builtinModules.join('|')})$`)}, ({path: name, kind}) => ({
					path: name.replace(/^(?:node:)?/, 'node:'),
					...(kind === 'require-call' ? {namespace: 'required'} : {external: true}),
				}));
				onLoad(
					{filter: /^/, namespace: 'required'},
					({path: name}) => ({contents: `import required from '${name}'; module.exports = required;`}),
				);
			},
		}],
		tsconfigRaw: {},
	});
};

/** Bundles a program and runs it in a new folder. @returns its address, and a function that ends it */
export const serveInWorkerd = async (file: string, version: string): Promise<{url: string; end: () => Promise<void>}> => {
	const folder = path.join(path.dirname(file), `worker-${version}`);
	await mkdir(folder);
	await bundle(file, folder);
	await writeFile(path.join(folder, 'worker.capnp'), configuration);
	const running = spawn(await installWorkerd(version), ['serve', '--control-fd=3', 'worker.capnp'], {
		cwd: folder,
		stdio: ['ignore', 'ignore', 'inherit', 'pipe'],
	});
	const [line] = await once(createInterface({input: running.stdio[3] as Readable}), 'line') as [string];
	return {
		url: `http://127.0.0.1:${(JSON.parse(line) as {port: number}).port}`,
		async end() {
			// SIGTERM would wait for open streams.
			running.kill('SIGKILL');
			await once(running, 'exit');
		},
	};
};
